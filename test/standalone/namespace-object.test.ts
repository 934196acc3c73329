import t from 'tap'
import { namespaceObject } from '../../src/standalone/namespace-object.ts'

t.test('every namespace is there, and nothing else', async (t) => {
  t.match(namespaceObject('/api/v1/namespaces/olm'), { kind: 'Namespace', metadata: { name: 'olm' } })
  for (const path of [
    '/api/v1/namespaces',
    '/api/v1/namespaces/',
    '/api/v1/namespaces/Olm',
    '/api/v1/namespaces/a/b',
    '/api/v1/pods/a',
  ]) {
    t.equal(namespaceObject(path), undefined, path)
  }
})
