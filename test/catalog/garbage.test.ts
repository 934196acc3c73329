// Whatever bytes a registry sends: a whole reading, or a failure with one of the names of this project. Never a crash, never a
// polluted prototype.
import fc from 'fast-check'
import t from 'tap'
import { decodeClusterServiceVersion } from '../../src/api/cluster-service-version.ts'
import { systemClock } from '../../src/catalog/clock.ts'
import { createHeadDecoder } from '../../src/catalog/head-decoder.ts'
import { createLateCalls } from '../../src/catalog/late-calls.ts'
import { READING_LIMITS, readRegistry } from '../../src/catalog/reading.ts'
import { NOTHING_READ } from '../../src/catalog/reading-memory.ts'
import { OlmError } from '../../src/errors.ts'
import type { RegistryClient } from '../../src/registry/client.ts'
import { createReadingCodec } from '../../src/registry/received-messages.ts'
import {
  answersOf,
  type Method,
  manyPackages,
  messageCodec,
  type ScriptedRequest,
} from '../fixtures/scripted-content.ts'

const codec = createReadingCodec()
const messages = messageCodec()
const packages = manyPackages(3)

/** True answers, with bytes changed by `spoil`. */
function spoiled(spoil: (bytes: Buffer) => Buffer): RegistryClient {
  const all = (method: Method, request: ScriptedRequest) =>
    (answersOf(packages, method, request) ?? [{}]).map((message) => spoil(messages.encode(method, message)))
  return {
    async *listPackages() {
      for (const bytes of all('ListPackages', {})) yield codec.receive('ListPackages', bytes)
    },
    async *listBundles() {
      for (const bytes of all('ListBundles', {})) yield codec.receive('ListBundles', bytes)
    },
    getPackage: async (request) => codec.receive('GetPackage', all('GetPackage', request)[0] ?? Buffer.alloc(0)),
    getBundleForChannel: async (request) =>
      codec.receive('GetBundleForChannel', all('GetBundleForChannel', request)[0] ?? Buffer.alloc(0)),
  }
}

async function outcome(client: RegistryClient): Promise<string> {
  try {
    const { snapshot } = await readRegistry({
      client,
      decoder: createHeadDecoder(decodeClusterServiceVersion),
      memory: NOTHING_READ,
      late: createLateCalls(),
      limits: READING_LIMITS,
      clock: systemClock(),
      signal: new AbortController().signal,
    })
    JSON.stringify(snapshot)
    return 'whole'
  } catch (error) {
    if (error instanceof OlmError) return error.code
    throw error
  }
}

const change = fc.record({
  chance: fc.double({ min: 0, max: 1, noNaN: true }),
  at: fc.nat(400),
  bytes: fc.uint8Array({ maxLength: 6 }),
  how: fc.constantFrom('flip', 'insert', 'cut', 'repeat'),
})

t.test('spoiled answers', async (t) => {
  const seen = new Map<string, number>()
  const property = fc.asyncProperty(
    fc.array(change, { minLength: 1, maxLength: 6 }),
    fc.nat(),
    async (changes, seed) => {
      let state = seed
      const next = () => {
        state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
        return state / 0x7fffffff
      }
      const spoil = (bytes: Buffer) =>
        changes.reduce((now, one) => (next() < one.chance / 3 ? apply(now, one) : now), bytes)
      const what = await outcome(spoiled(spoil))
      seen.set(what, (seen.get(what) ?? 0) + 1)
    },
  )
  await fc.assert(property, { numRuns: 400 })
  t.ok((seen.get('whole') ?? 0) > 20, JSON.stringify([...seen]))
  t.ok(seen.size > 1)
  t.strictSame(Object.keys(Object.prototype), [])
})

function apply(
  bytes: Buffer,
  { at, bytes: other, how }: typeof change extends fc.Arbitrary<infer T> ? T : never,
): Buffer {
  const place = bytes.length === 0 ? 0 : at % bytes.length
  const head = bytes.subarray(0, place)
  const tail = bytes.subarray(place)
  if (how === 'cut') return head
  if (how === 'insert') return Buffer.concat([head, other, tail])
  if (how === 'repeat') return Buffer.concat([bytes, tail])
  const flipped = Buffer.from(bytes)
  for (const [index, byte] of other.entries()) {
    const here = place + index
    if (here < flipped.length) flipped[here] = (flipped[here] ?? 0) ^ byte
  }
  return flipped
}
