import { gunzipSync } from 'node:zlib'
import t from 'tap'
import type { Tail } from '../../src/package-server/content.ts'
import { createKeptAnswers, type Recipe } from '../../src/package-server/kept-answers.ts'
import type { Part } from '../../src/package-server/representation.ts'
import { eventually } from '../fixtures/eventually.ts'

const tail = (text: string): Tail => ({ bytes: Buffer.from(text), piece: undefined, making: undefined })

function recipe(parts: () => readonly Part[], joinable = true): Recipe & { readonly made: () => number } {
  let made = 0
  return {
    etag: () => 'e',
    parts() {
      made++
      return parts()
    },
    joinable,
    made: () => made,
  }
}

const sizeOf = (buffers: readonly Uint8Array[]) => buffers.reduce((sum, { length }) => sum + length, 0)

t.test('the first plain answer shares the memory of its pieces, later ones are one copy for all', async (t) => {
  const answers = createKeptAnswers({ bytes: 1e6 })
  const piece = tail('x'.repeat(1000))
  const make = recipe(() => ['[', piece, ']'])
  const ask = () => answers.answer('k', make).bytes('identity')
  const first = await ask()
  t.ok(first.includes(piece.bytes))
  const second = await ask()
  t.equal(await ask(), second)
  t.equal(Buffer.concat([...second]).toString(), Buffer.concat([...first]).toString())
  t.equal(make.made(), 2)
  answers.close()
})

t.test('gzip is joined at first, and compressed as one stream once it is asked for again', async (t) => {
  const answers = createKeptAnswers({ bytes: 1e6 })
  const pieces = Array.from({ length: 50 }, (_, index) =>
    tail(`{"number":${index},"text":"${'all alike '.repeat(20)}"}`),
  )
  const plain = Buffer.concat(pieces.map(({ bytes }) => bytes)).toString()
  const make = recipe(() => pieces)
  const ask = async () => {
    const body = await answers.answer('k', make).bytes('gzip')
    t.equal(gunzipSync(Buffer.concat([...body])).toString(), plain)
    return sizeOf(body)
  }
  const joined = await ask()
  t.equal(await ask(), joined)
  await eventually('one stream', async () => (await ask()) < joined / 2)
  t.equal(make.made(), 2)
  answers.close()
})

t.test('what has no deflated pieces is compressed as one stream at once', async (t) => {
  const answers = createKeptAnswers({ bytes: 1e6 })
  const body = await answers
    .answer(
      'k',
      recipe(() => ['abc'.repeat(10_000)], false),
    )
    .bytes('gzip')
  t.ok(sizeOf(body) < 1000)
  t.equal(gunzipSync(Buffer.concat([...body])).toString(), 'abc'.repeat(10_000))
  answers.close()
})

t.test('many who ask at the same time share one making', async (t) => {
  const answers = createKeptAnswers({ bytes: 1e6 })
  const make = recipe(() => [tail('x'.repeat(100))])
  await Promise.all(Array.from({ length: 20 }, () => answers.answer('k', make).bytes('gzip')))
  t.ok(make.made() <= 2, `${make.made()} made`)
  answers.close()
})

t.test('the bytes of all answers are bounded; the largest are not kept at all', async (t) => {
  const answers = createKeptAnswers({ bytes: 100_000 })
  const small = recipe(() => [tail('s'.repeat(20_000))])
  const large = recipe(() => [tail('l'.repeat(70_000))])
  for (let round = 0; round < 4; round++) {
    t.equal(sizeOf(await answers.answer('large', large).bytes('identity')), 70_000)
    t.equal(sizeOf(await answers.answer('small', small).bytes('identity')), 20_000)
  }
  t.equal(small.made(), 2, 'kept')
  t.equal(large.made(), 4, 'made each time')
  for (let other = 0; other < 20; other++) {
    const each = recipe(() => [tail('o'.repeat(20_000))])
    for (let round = 0; round < 2; round++) await answers.answer(`other ${other}`, each).bytes('identity')
  }
  await answers.answer('small', small).bytes('identity')
  t.equal(small.made(), 3, 'gone since others were asked for')
  answers.close()
})

t.test('a making that fails is tried again', async (t) => {
  const answers = createKeptAnswers({ bytes: 1e6 })
  let broken = true
  const make = recipe(() => {
    if (broken) throw new Error('no memory')
    return ['fine']
  }, false)
  await t.rejects(async () => answers.answer('k', make).bytes('gzip'))
  broken = false
  t.equal(gunzipSync(Buffer.concat([...(await answers.answer('k', make).bytes('gzip'))])).toString(), 'fine')
  answers.close()
})
