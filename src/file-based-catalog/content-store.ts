// Where the heavy texts of a catalog lie compressed: in shared memory while loading, or in a cache file. Hands on bytes
// by range. Knows nothing of what the texts mean.

/** Where one packed text lies. */
export interface PackedRange {
  readonly chunk: number
  readonly offset: number
  /** Bytes as packed. */
  readonly length: number
}

export interface ContentStore {
  /** The packed bytes; `unpackText` makes the text of them. */
  read(range: PackedRange): Promise<Uint8Array>
}
