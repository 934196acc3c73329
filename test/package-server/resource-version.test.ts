import fc from 'fast-check'
import t from 'tap'
import {
  BOOKMARK,
  contentDigest,
  digestOf,
  movedDigest,
  parseVersion,
  slotAt,
  slotOf,
  versionAfter,
  versionOf,
} from '../../src/package-server/resource-version.ts'

const digest = fc.integer({ min: 0, max: 2 ** 22 - 1 })
const slot = fc.integer({ min: 1, max: 2 ** 31 - 3 })

t.test('a number holds its slot and digest, below 2^53', async () => {
  fc.assert(
    fc.property(slot, digest, (s, d) => {
      const version = versionOf(s, d)
      return slotOf(version) === s && digestOf(version) === d && Number.isSafeInteger(version)
    }),
  )
  t.ok(Number.isSafeInteger(versionOf(slotAt(Date.UTC(2058, 0, 1)), 2 ** 22 - 1)), 'until 2058 at least')
})

t.test('the numbers of a change are above all earlier ones, and no slot is wasted', async () => {
  fc.assert(
    fc.property(slot, digest, slot, digest, fc.integer({ min: 1, max: 30_000 }), (s, d, s2, d2, events) => {
      const previous = versionOf(s, d)
      const next = versionAfter(previous, s2, d2, events)
      const firstEvent = next - events
      if (digestOf(next) !== d2 || slotOf(next) < s2 || firstEvent <= previous + BOOKMARK) return false
      return slotOf(next) === s2 || firstEvent - 2 ** 22 <= previous + BOOKMARK
    }),
  )
})

t.test('a digest does not depend on the order of arrival', async () => {
  fc.assert(
    fc.property(fc.array(digest), fc.array(digest), (present, gone) => {
      const forwards = [...present, ...gone].reduce((sum, each) => movedDigest(sum, each, 1), 0)
      const emptied = gone.reduce((sum, each) => movedDigest(sum, each, -1), forwards)
      return emptied === present.toReversed().reduce((sum, each) => movedDigest(sum, each, 1), 0)
    }),
  )
  t.equal(contentDigest('ffffff00'), 2 ** 22 - 1)
})

t.test('texts that are no number of ours are from the future', async (t) => {
  for (const text of ['9007199254740993', '1'.repeat(400), 'abc', '-1', '1.5', '']) {
    t.equal(parseVersion(text), Number.POSITIVE_INFINITY, text)
  }
  t.equal(parseVersion('0012'), 12)
})
