import { inflateRawSync } from 'node:zlib'
import t from 'tap'
import type { Tail } from '../../src/package-server/content.ts'
import { createDeflater, deflateAll, deflateTail } from '../../src/package-server/deflater.ts'
import { eventually } from '../fixtures/eventually.ts'

const tails = (count: number): Tail[] =>
  Array.from({ length: count }, (_, index) => ({
    bytes: Buffer.from(`text ${index} `.repeat(50)),
    piece: undefined,
    making: undefined,
  }))

const plain = ({ piece }: Tail) =>
  inflateRawSync(Buffer.concat([piece?.deflated ?? new Uint8Array(), Buffer.from([3, 0])])).toString()

t.test('those that are added get their pieces by themselves', async (t) => {
  const deflater = createDeflater()
  const some = tails(30)
  deflater.add(some.slice(0, 10))
  deflater.add(some.slice(10))
  await eventually('all deflated', () => some.every(({ piece }) => piece !== undefined))
  for (const tail of some) t.equal(plain(tail), tail.bytes.toString())
  deflater.close()
})

t.test('each is deflated once, whoever asks', async (t) => {
  const [tail] = tails(1)
  if (tail === undefined) throw new Error('no tail')
  const pieces = await Promise.all([
    deflateTail(tail),
    deflateTail(tail),
    deflateAll([tail]).then(() => deflateTail(tail)),
  ])
  t.equal(new Set(pieces).size, 1)
  t.equal(tail.making, undefined)
})

t.test('all that are missing, and no others', async (t) => {
  const some = tails(9)
  const first = await deflateTail(some[0] as Tail)
  await deflateAll(some)
  t.ok(some.every(({ piece }) => piece !== undefined))
  t.equal(some[0]?.piece, first)
  await deflateAll([])
})

t.test('closed, it begins nothing new', async (t) => {
  const deflater = createDeflater()
  const some = tails(50)
  deflater.add(some)
  deflater.close()
  await deflateAll(some.slice(0, 1))
  t.ok(some.filter(({ piece }) => piece !== undefined).length <= 4)
})
