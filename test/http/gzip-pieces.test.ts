import { crc32, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { combineCrc32, createGzipJoin, deflatePiece, type Piece } from '../../src/http/gzip-pieces.ts'

t.test('checksums of two runs combine to that of both', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (a, b) => {
      return combineCrc32(crc32(a), crc32(b), b.length) === crc32(Buffer.concat([a, b]))
    }),
  )
})

t.test('pieces and bytes in any order unzip to what they were made of', async () => {
  const part = fc.record({ deflated: fc.boolean(), bytes: fc.uint8Array({ maxLength: 2000 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 20 }), async (parts) => {
      const join = createGzipJoin()
      for (const { deflated, bytes } of parts) {
        if (deflated) join.piece(await deflatePiece(bytes))
        else join.bytes(bytes)
      }
      return gunzipSync(Buffer.concat(join.finish())).equals(Buffer.concat(parts.map(({ bytes }) => bytes)))
    }),
    { numRuns: 60 },
  )
})

for (const count of [0, 1, 10_000]) {
  t.test(`${count} pieces`, async (t) => {
    const join = createGzipJoin()
    const plain: Buffer[] = []
    const pieces: Piece[] = []
    const texts = Array.from({ length: Math.min(count, 10) }, (_, index) => Buffer.from(`{"item":${index}}`.repeat(90)))
    for (const text of texts) pieces.push(await deflatePiece(text))
    for (let index = 0; index < count; index++) {
      const piece = pieces[index % 10]
      const text = texts[index % 10]
      if (piece === undefined || text === undefined) throw new Error('no piece')
      join.bytes(Buffer.from(`,${index}`))
      join.piece(piece)
      plain.push(Buffer.from(`,${index}`), text)
    }
    const whole = Buffer.concat(plain)
    const gzip = Buffer.concat(join.finish())
    t.ok(gunzipSync(gzip).equals(whole))
    t.equal(gzip.readUInt32LE(gzip.length - 8), crc32(whole), 'the checksum at the end is that of the whole')
    t.equal(gzip.readUInt32LE(gzip.length - 4), whole.length)
  })
}

t.test('bytes longer than one stored block', async (t) => {
  const join = createGzipJoin()
  const long = Buffer.alloc(200_001, 'abc')
  join.bytes(long)
  t.ok(gunzipSync(Buffer.concat(join.finish())).equals(long))
})

t.test('an empty piece adds nothing', async (t) => {
  const join = createGzipJoin()
  join.bytes(Buffer.from('a'))
  join.piece(await deflatePiece(new Uint8Array()))
  join.bytes(new Uint8Array())
  t.equal(gunzipSync(Buffer.concat(join.finish())).toString(), 'a')
})
