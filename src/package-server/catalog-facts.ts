// What the program knows of one catalog at a moment: the input of the status resource, of warnings and of the rule that an
// unknown name is no 404 before everything has been tried. Written by whoever reads catalogs, never by whoever shows them.
import type { CatalogSource } from '../api/catalog-source.ts'
import type { LeftOut } from '../catalog/snapshot.ts'

export interface CatalogFacts {
  readonly source: CatalogSource
  readonly connection: {
    /** As gRPC names it, or `NO_ADDRESS`. */
    readonly state: string
    /** Milliseconds since the epoch. */
    readonly since: number
  }
  /** The last good reading, which is what is served; undefined: there has never been one. */
  readonly reading: CatalogReadingFacts | undefined
  /** Undefined: the latest attempt succeeded, or none has ended. */
  readonly failure: { readonly since: number; readonly reason: string } | undefined
}

export interface CatalogReadingFacts {
  /** Milliseconds since the epoch. */
  readonly readAt: number
  readonly packages: number
  readonly channels: number
  readonly bytes: number
  readonly leftOut: readonly LeftOut[]
}
