// Versions, ranges, releases, images and names of packages: read as strictly as the reference program reads them, with its words.
import fc from 'fast-check'
import semver from 'semver'
import t from 'tap'
import { imageFault } from '../../src/file-based-catalog/image-reference.ts'
import { packageNameFaults } from '../../src/file-based-catalog/package-name.ts'
import { releaseFault } from '../../src/file-based-catalog/release.ts'
import { compareVersions, readVersion, versionText } from '../../src/file-based-catalog/semantic-version.ts'
import { rangeFault } from '../../src/file-based-catalog/version-range.ts'

function versionOf(text: string) {
  const read = readVersion(text)
  if ('reason' in read) throw new Error(read.reason)
  return read.value
}

const identifier = fc.stringMatching(/^([1-9]\d{0,5}|0|\d*[a-zA-Z-][0-9a-zA-Z-]{0,5})$/)
const version = fc
  .tuple(
    fc.nat(3),
    fc.nat(3),
    fc.nat(3),
    fc.array(identifier, { maxLength: 3 }),
    fc.array(identifier, { maxLength: 2 }),
  )
  .map(([major, minor, patch, pre, build]) => {
    const tail = `${pre.length > 0 ? `-${pre.join('.')}` : ''}${build.length > 0 ? `+${build.join('.')}` : ''}`
    return `${major}.${minor}.${patch}${tail}`
  })

t.test('versions are read, written and ordered by Semantic Versioning', async (t) => {
  const property = fc.property(version, version, (left, right) => {
    t.equal(versionText(versionOf(left)), left)
    t.equal(
      Math.sign(compareVersions(versionOf(left), versionOf(right))),
      semver.compare(left, right),
      `${left} ${right}`,
    )
  })
  fc.assert(property, { numRuns: 200 })
})

t.test('what is no version', async (t) => {
  const table: readonly (readonly [text: string, reason: string])[] = [
    ['', 'Version string empty'],
    ['1.0', 'No Major.Minor.Patch elements found'],
    ['v1.0.0', 'Invalid character(s) found in major number "v1"'],
    ['1.00.0', 'Minor number must not contain leading zeroes "00"'],
    ['1.0.0-', 'Prerelease is empty'],
    ['1.0.0-01', 'Numeric PreRelease version must not contain leading zeroes "01"'],
    ['1.0.0+', 'Build meta data is empty'],
    ['18446744073709551616.0.0', 'strconv.ParseUint: parsing "18446744073709551616": value out of range'],
    ['1..0', 'strconv.ParseUint: parsing "": invalid syntax'],
  ]
  for (const [text, reason] of table) t.strictSame(readVersion(text), { reason }, text)
})

t.test('ranges', async (t) => {
  const table: readonly (readonly [text: string, reason: string | undefined])[] = [
    ['>=1.0.0 <2.0.0', undefined],
    ['>= 1.0.0 || 1.x', undefined],
    ['!=1.2.x', undefined],
    ['', "Last element in range is '||'"],
    ['|| 1.0.0', "First element in range is '||'"],
    ['1.0.0 ||', "Last element in range is '||'"],
    ['abc', 'Could not get version from string: "abc"'],
    ['~1.0.0', 'Could not parse Range "~1.0.0": Could not parse comparator "~" in "~1.0.0"'],
    ['1.0', 'Could not parse Range "1.0": Could not parse version "1.0" in "1.0": No Major.Minor.Patch elements found'],
  ]
  for (const [text, reason] of table) t.equal(rangeFault(text), reason, text)
})

t.test('releases', async (t) => {
  t.equal(releaseFault('1.a-b.20'), undefined)
  t.equal(releaseFault('a'.repeat(21)), `invalid release "${'a'.repeat(21)}": exceeds maximum length of 20 characters`)
  t.match(releaseFault('1..01'), /^invalid release "1\.\.01": segment 1: Prerelease is empty\nsegment 2: Numeric/)
})

t.test('images', async (t) => {
  const table: readonly (readonly [text: string, reason: string | undefined])[] = [
    ['foo', undefined],
    ['quay.io/foo/bar:v1', undefined],
    [`localhost:5000/foo@sha256:${'a'.repeat(64)}`, undefined],
    ['quay.io/Foo/bar', 'invalid reference format: repository name must be lowercase'],
    ['foo bar', 'invalid reference format'],
    [`foo@sha256:${'a'.repeat(63)}`, 'invalid checksum digest length'],
    [`foo@md5:${'a'.repeat(32)}`, 'unsupported digest algorithm'],
    ['a'.repeat(64), `invalid repository name (${'a'.repeat(64)}), cannot specify 64-byte hexadecimal strings`],
  ]
  for (const [text, reason] of table) t.equal(imageFault(text), reason, text)
  const start = performance.now()
  imageFault(`${'a-'.repeat(50_000)}!`)
  t.ok(performance.now() - start < 2000, 'a long name takes no long time')
})

t.test('names of packages', async (t) => {
  t.strictSame(packageNameFaults('my-operator-2'), [])
  t.strictSame(packageNameFaults('a.b'), ['must not contain dots'])
  t.match(packageNameFaults(`${'a'.repeat(63)}_`), [
    'must be no more than 63 characters',
    /^a lowercase RFC 1123 label/,
  ])
})
