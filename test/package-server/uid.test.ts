import t from 'tap'
import { nameUuid, offeredUid } from '../../src/package-server/uid.ts'

t.test('a version 5 UUID of RFC 9562', async (t) => {
  t.match(nameUuid('x'), /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

t.test('a function of the catalog and the package', async (t) => {
  const source = { namespace: 'olm', name: 'c', uid: 'u-1' }
  t.equal(offeredUid(source, 'p'), offeredUid({ ...source, name: 'other' }, 'p'), 'of the uid where there is one')
  t.not(offeredUid(source, 'p'), offeredUid({ ...source, uid: 'u-2' }, 'p'), 'new where the catalog was made again')
  t.not(offeredUid(source, 'p'), offeredUid(source, 'q'))
  const nameless = { ...source, uid: undefined }
  t.equal(offeredUid(nameless, 'p'), offeredUid({ ...nameless }, 'p'))
  t.not(offeredUid(nameless, 'p'), offeredUid({ ...nameless, namespace: 'x' }, 'p'))
})
