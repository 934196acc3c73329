import fc from 'fast-check'
import t from 'tap'
import { compareVersions, normaliseVersion, parseVersion, ZERO_VERSION } from '../../src/api/operator-version.ts'

const parsed = (text: string) => parseVersion(text) ?? ZERO_VERSION

t.test('strict: what is a version and what is none', async (t) => {
  const good = ['0.0.0', '1.2.3', '18446744073709551615.0.0', '1.0.0-rc.1', '1.0.0-0a.-', '1.0.0+001', '1.0.0--+-']
  for (const text of good) t.ok(parseVersion(text), text)
  const bad = ['', '1', '1.2', 'v1.2.3', '01.2.3', '1.02.3', '1.2.03', '1.2.3-01', '1.2.3-', '1.2.3+', '1.2.3-a..b']
  const worse = ['18446744073709551616.0.0', '1.2.3-18446744073709551616', '1.2.3+a_b', ' 1.2.3', '1.2.3\n', '1.2.3.4']
  for (const text of [...bad, ...worse, `1.2.${'3'.repeat(2000)}`])
    t.equal(parseVersion(text), undefined, text.slice(0, 40))
})

t.test('tolerant: blanks, v, missing parts and leading zeros become the normal form', async (t) => {
  const table: readonly (readonly [string, string | undefined])[] = [
    ['1.2.3', '1.2.3'],
    ['v1.2', '1.2.0'],
    ['1', '1.0.0'],
    ['  v01.002.0003 \u00a0\u0085', '1.2.3'],
    ['000.00.0', '0.0.0'],
    ['1.2.0-rc', '1.2.0-rc'],
    ['1.2.00-rc.1+b', '1.2.0-rc.1+b'],
    ['1.2.3+b.01', '1.2.3+b.01'],
    ['', undefined],
    ['v', undefined],
    ['vv1', undefined],
    ['V1.2.3', undefined],
    ['v 1', undefined],
    ['1.2-rc', undefined],
    ['1+b', undefined],
    ['1.2.3.4', undefined],
    ['1..3', undefined],
    ['1.2.3-01', undefined],
    ['\ufeff1.2.3', undefined],
    ['latest', undefined],
  ]
  for (const [text, normal] of table) t.equal(normaliseVersion(text), normal, JSON.stringify(text))
})

t.test('tolerant reading yields only what strict reading accepts, and accepts all of that unchanged', async () => {
  const number = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)
  const word = fc.stringMatching(/^[0-9A-Za-z-]{1,5}$/)
  const tail = fc.array(word, { maxLength: 3 }).map((parts) => parts.join('.'))
  const version = fc
    .tuple(number, number, number, tail, tail)
    .map(([a, b, c, pre, build]) => `${a}.${b}.${c}${pre && `-${pre}`}${build && `+${build}`}`)
  fc.assert(
    fc.property(fc.oneof(version, fc.string()), (text) => {
      const normal = normaliseVersion(text)
      if (parseVersion(text) !== undefined && normal !== text) return false
      return normal === undefined || parseVersion(normal) !== undefined
    }),
  )
})

t.test('precedence, as semver.org lists it', async (t) => {
  const rising = [
    '0.0.0-0',
    '0.0.0',
    '1.0.0-1',
    '1.0.0-2',
    '1.0.0-10',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.9.0',
    '1.10.0-rc.1',
    '1.10.0',
    '9007199254740993.0.0',
    '9007199254740994.0.0',
  ]
  for (const [i, a] of rising.entries()) {
    for (const [j, b] of rising.entries()) {
      t.equal(Math.sign(compareVersions(parsed(a), parsed(b))), Math.sign(i - j), `${a} and ${b}`)
    }
  }
  t.equal(compareVersions(parsed('1.0.0+a'), parsed('1.0.0+b')), 0, 'build metadata does not count')
})

t.test('precedence is an order', async () => {
  const small = fc.integer({ min: 0, max: 2 })
  const part = fc.constantFrom('0', '1', '10', 'a', 'A', '-', 'a0')
  const version = fc
    .tuple(small, small, small, fc.array(part, { maxLength: 3 }))
    .map(([a, b, c, pre]) => parsed(`${a}.${b}.${c}${pre.length > 0 ? `-${pre.join('.')}` : ''}`))
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      const [ab, ba, bc, ac] = [
        compareVersions(a, b),
        compareVersions(b, a),
        compareVersions(b, c),
        compareVersions(a, c),
      ]
      return Math.sign(ab) === -Math.sign(ba) && (ab > 0 || bc > 0 || ac <= 0) && compareVersions(a, a) === 0
    }),
  )
})
