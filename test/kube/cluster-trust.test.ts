import fc from 'fast-check'
import t from 'tap'
import { parseClusterTrust } from '../../src/kube/request-header.ts'

const DATA = {
  'client-ca-file': 'client',
  'requestheader-client-ca-file': 'proxy',
  'requestheader-allowed-names': '["a","b"]',
  'requestheader-username-headers': '["X-Remote-User"]',
  'requestheader-group-headers': '["X-Remote-Group","X-Other-Group"]',
  'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
}

t.test('what a kube-apiserver writes', async (t) => {
  t.same(parseClusterTrust(DATA), {
    clientCa: 'client',
    requestHeader: {
      ca: 'proxy',
      allowedNames: ['a', 'b'],
      userHeaders: ['X-Remote-User'],
      uidHeaders: [],
      groupHeaders: ['X-Remote-Group', 'X-Other-Group'],
      extraPrefixes: ['X-Remote-Extra-'],
    },
  })
  t.same(parseClusterTrust({ ...DATA, 'requestheader-uid-headers': '["X-Remote-Uid"]' }).requestHeader?.uidHeaders, [
    'X-Remote-Uid',
  ])
  t.same(parseClusterTrust({ ...DATA, 'requestheader-allowed-names': '[]' }).requestHeader?.allowedNames, [])
})

t.test('a cluster without a front proxy, or without anything', async (t) => {
  t.same(parseClusterTrust({ 'client-ca-file': 'x' }), { clientCa: 'x', requestHeader: undefined })
  for (const data of [undefined, null, {}, [], 'x', 3, { 'client-ca-file': '  ' }])
    t.same(parseClusterTrust(data), { clientCa: undefined, requestHeader: undefined })
})

t.test('a list that is none is an error, never an empty list: empty means every name', async (t) => {
  for (const text of ['{', '"a"', '[1]', '{"a":1}', '[["a"]]', 'a,b'])
    t.throws(() => parseClusterTrust({ ...DATA, 'requestheader-allowed-names': text }), text)
})

t.test('whatever stands there: an answer or an error, no third', async () => {
  const keys = fc.constantFrom(...Object.keys(DATA), 'other')
  fc.assert(
    fc.property(fc.dictionary(keys, fc.anything()), (data) => {
      try {
        parseClusterTrust(data)
      } catch (error) {
        return error instanceof Error
      }
      return true
    }),
  )
})
