import fc from 'fast-check'
import t from 'tap'
import { compareVersions, parseVersion, ZERO_VERSION } from '../../src/api/operator-version.ts'
import type { SnapshotEntry } from '../../src/catalog/snapshot.ts'
import { channelEntries } from '../../src/package-server/channel-entries.ts'

function entry(name: string, version: string, deprecation?: string): SnapshotEntry {
  return { name, version, deprecation, replaces: '', skips: [], skipRange: '' }
}

const names = (entries: readonly SnapshotEntry[]) => channelEntries(entries).map(({ name }) => name)

t.test('newest first, by semver and not by letters (R061, R071)', async (t) => {
  const entries = [
    entry('p.v1.9.0', '1.9.0'),
    entry('p.none', ''),
    entry('p.v1.10.0-rc.1', '1.10.0-rc.1'),
    entry('p.v1.10.0', '1.10.0'),
    entry('p.v1.10.0-rc.10', '1.10.0-rc.10'),
    entry('p.v1.10.0-rc.9', '1.10.0-rc.9'),
    entry('p.v0.0.0-alpha', '0.0.0-alpha'),
  ]
  t.strictSame(names(entries), [
    'p.v1.10.0',
    'p.v1.10.0-rc.10',
    'p.v1.10.0-rc.9',
    'p.v1.10.0-rc.1',
    'p.v1.9.0',
    'p.none',
    'p.v0.0.0-alpha',
  ])
})

t.test('what is not strict semver counts as 0.0.0; ties by name, ascending', async (t) => {
  const entries = [
    entry('d', 'v9.9.9'),
    entry('c', '9.9'),
    entry('e', '0.0.1'),
    entry('b', '0.0.0+build'),
    entry('a', 'latest'),
    entry('f', '2.0.0+1'),
    entry('B', '0.0.0'),
  ]
  t.strictSame(names(entries), ['f', 'e', 'B', 'a', 'b', 'c', 'd'])
  t.strictSame(names([entry('b', '1.0.0'), entry('a', '1.0.0+newer')]), ['a', 'b'], 'build metadata does not count')
})

t.test('members: version and deprecation only where there is one', async (t) => {
  const made = channelEntries([entry('c', '3.0.0', 'Old.\nUse d ✓'), entry('b', '2.0.0', ''), entry('a', '')])
  t.strictSame(made, [
    { name: 'c', version: '3.0.0', deprecation: { message: 'Old.\nUse d ✓' } },
    { name: 'b', version: '2.0.0', deprecation: { message: '' } },
    { name: 'a' },
  ])
  t.ok(Object.isFrozen(made) && Object.isFrozen(made[0]) && Object.isFrozen(made[0]?.deprecation))
  t.strictSame(channelEntries([]), [])
})

t.test('whatever the order of arrival: one order, every entry, each not older than the next', async () => {
  const version = fc.oneof(
    fc.constantFrom(
      '',
      'v1',
      '1.0',
      '1.0.0',
      '1.0.0-a',
      '1.0.0-1',
      '1.0.0+b',
      '10.0.0',
      '9.0.0',
      '18446744073709551616.0.0',
    ),
    fc.tuple(fc.nat(3), fc.nat(12), fc.nat(3)).map((parts) => parts.join('.')),
  )
  const entries = fc.uniqueArray(fc.tuple(fc.string({ unit: 'binary', maxLength: 3 }), version), {
    selector: ([name]) => name,
  })
  fc.assert(
    fc.property(entries, fc.array(fc.nat()), (pairs, moves) => {
      const made = pairs.map(([name, text]) => entry(name, text))
      const shuffled = made.map((each, i) => [moves[i] ?? 0, each] as const).sort(([a], [b]) => a - b)
      const [one, other] = [channelEntries(made), channelEntries(shuffled.map(([, each]) => each))]
      const versions = one.map((each) => parseVersion(each.version ?? '') ?? ZERO_VERSION)
      const falling = versions.every((each, i) => i === 0 || compareVersions(versions[i - 1] ?? each, each) >= 0)
      return JSON.stringify(one) === JSON.stringify(other) && one.length === made.length && falling
    }),
  )
})
