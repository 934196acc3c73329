// What inputs are tried on, and what must hold whatever they are: nothing throws but what says a reason, nothing hangs, and what comes
// out is still of its type. Each target makes an input from chance and tries it; the input is text, so that it can be kept.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { parseCatalogSource } from '../../src/api/catalog-source.ts'
import { decodeClusterServiceVersion } from '../../src/api/cluster-service-version.ts'
import { decodeKeptPackage, encodeKeptPackage } from '../../src/catalog/kept-package.ts'
import { OlmError } from '../../src/errors.ts'
import { loadCatalog } from '../../src/file-based-catalog/load-catalog.ts'
import { parseListOptions } from '../../src/http/list-options.ts'
import { parsePath, splitTarget } from '../../src/http/request-path.ts'
import { StatusError } from '../../src/http/status.ts'
import { toPackageManifest } from '../../src/package-server/to-package-manifest.ts'
import { createReadingCodec } from '../../src/registry/received-messages.ts'
import { catalogSource } from '../fixtures/read-catalogs.ts'
import { answersOf, METHODS, type Method, messageCodec } from '../fixtures/scripted-content.ts'
import { fuzzSeeds, SCRIPTED } from './fuzz-seeds.ts'
import { type Chance, mutateBytes, mutateJson, mutateText } from './mutation.ts'

export interface FuzzTarget {
  readonly name: string
  make(chance: Chance): string
  /** Throws where something does not hold. */
  attempt(input: string): void | Promise<void>
}

/** Of one input, ms; stretched by whoever runs on a busy machine. */
export const LONGEST_MS = 10_000

const SOURCE = catalogSource('fuzz', 'fuzz:1')
const CATALOG_SOURCE = {
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'CatalogSource',
  metadata: {
    name: 'a',
    namespace: 'olm',
    uid: 'u',
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { a: 'b' },
    annotations: { c: 'd' },
  },
  spec: { sourceType: 'grpc', address: 'reg.olm.svc:50051', displayName: 'A', publisher: 'P', priority: 3 },
  status: { registryService: { serviceName: 's', serviceNamespace: 'olm', port: '50051' } },
}

export function fuzzTargets(): { readonly targets: readonly FuzzTarget[]; close(): void } {
  const { manifests, catalogs } = fuzzSeeds()
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-'))
  const codec = createReadingCodec()
  const messages = messageCodec()
  const log = pino({ level: 'silent' })

  const manifest: FuzzTarget = {
    name: 'manifest',
    make(chance) {
      const text = JSON.stringify(mutateJson(chance.pick(manifests), chance))
      return chance.below(4) === 0 ? mutateText(text, chance) : text
    },
    attempt(input) {
      const found = decodeClusterServiceVersion(input)
      if ('reason' in found) {
        if (found.reason === '') throw new Error('no reason')
        return
      }
      const entry = { name: 'e', version: '', deprecation: undefined, replaces: '', skips: [], skipRange: '' }
      const channel = { name: 'c', deprecation: undefined, head: found.csv, entries: [entry] }
      const content = { name: 'p', deprecation: undefined, defaultChannel: 'c', channels: [channel] }
      const shown = JSON.stringify(toPackageManifest(content, SOURCE))
      const kept = JSON.stringify(toPackageManifest(decodeKeptPackage(encodeKeptPackage(content)), SOURCE))
      if (kept !== shown) throw new Error('what is kept is shown in another way')
    },
  }

  const catalog: FuzzTarget = {
    name: 'catalog',
    make(chance) {
      const blobs = mutateJson(chance.pick(catalogs), chance)
      const list = Array.isArray(blobs) ? blobs : [blobs]
      const text = list.map((blob) => JSON.stringify(blob, undefined, chance.below(2))).join('\n')
      return chance.below(4) === 0 ? mutateText(text, chance) : text
    },
    async attempt(input) {
      const file = join(folder, input.startsWith('{') ? 'catalog.json' : 'catalog.yaml')
      writeFileSync(file, input)
      try {
        const loaded = await loadCatalog(folder, { signal: AbortSignal.timeout(LONGEST_MS), log })
        for (const { reason } of loaded.faults as readonly { readonly reason?: string }[]) {
          if (reason === '') throw new Error('a fault without a reason')
        }
      } catch (error) {
        if (!(error instanceof OlmError)) throw error
      } finally {
        rmSync(file)
      }
    },
  }

  const message: FuzzTarget = {
    name: 'message',
    make(chance) {
      const method = chance.pick(METHODS)
      const one = chance.pick(SCRIPTED)
      const request = { name: one.name, pkgName: one.name, channelName: 'stable' }
      const answer = chance.pick(answersOf(SCRIPTED, method, request) ?? [])
      return `${method} ${mutateBytes(messages.encode(method, answer), chance).toString('base64')}`
    },
    attempt(input) {
      const [method = '', bytes = ''] = input.split(' ')
      const received = codec.receive(method as Method, Buffer.from(bytes, 'base64'))
      try {
        JSON.stringify(received.decode())
      } catch (error) {
        // A message that is none is told by an Error; anything worse is a defect.
        if (!(error instanceof Error) || (error instanceof RangeError === false && error.message === '')) throw error
      }
    },
  }

  const request: FuzzTarget = {
    name: 'request',
    make(chance) {
      const query = [
        'labelSelector=a%20in%20(b,c),!d,e%3Df',
        'fieldSelector=metadata.name%3Dx,metadata.namespace!%3Dy',
        'limit=5&continue=abc',
        'resourceVersion=12&resourceVersionMatch=NotOlderThan',
        'watch=true&timeoutSeconds=5&allowWatchBookmarks=1&sendInitialEvents=true',
      ]
      const path = '/apis/packages.operators.coreos.com/v1/namespaces/olm/packagemanifests/foo/icon'
      return mutateText(mutateText(`${path}?${chance.pick(query)}&${chance.pick(query)}`, chance), chance)
    },
    attempt(input) {
      try {
        const { path, search } = splitTarget(input)
        parsePath(path)
        parseListOptions(new URLSearchParams(search))
      } catch (error) {
        if (!(error instanceof StatusError)) throw error
      }
    },
  }

  const source: FuzzTarget = {
    name: 'catalog-source',
    make: (chance) => JSON.stringify(mutateJson(CATALOG_SOURCE, chance)),
    attempt(input) {
      const { source, fault } = parseCatalogSource(JSON.parse(input))
      if (fault !== undefined && fault.reason === '') throw new Error('no reason')
      if (source === undefined && fault === undefined) throw new Error('neither a source nor a fault')
      if (source !== undefined && (source.name === '' || source.namespace === '')) throw new Error('no name')
    },
  }

  return {
    targets: [manifest, catalog, message, request, source],
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
