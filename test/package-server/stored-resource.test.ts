// What `resourceVersion`, `resourceVersionMatch`, hints, warnings and readiness do to an answer.
import t from 'tap'
import type { ListRequest, Payload } from '../../src/http/resource.ts'
import { StatusError } from '../../src/http/status.ts'
import { createPackageManifestResource } from '../../src/package-server/package-manifest-resource.ts'
import type { Basis } from '../../src/package-server/stored-resource.ts'
import { bodyOf, catalogSource, getRequest, listRequest, offer, watchRequest } from '../fixtures/offered-manifests.ts'
import type { ObjectList, StoredObject } from '../fixtures/reflector.ts'

async function statusOf(promise: Promise<Payload>) {
  try {
    await promise
  } catch (error) {
    if (error instanceof StatusError) return error.status
    throw error
  }
  throw new Error('no Status was thrown')
}

interface Manifest extends StoredObject {
  readonly status: { readonly catalogSource: string; readonly catalogSourceNamespace: string }
}

const a = catalogSource('olm/a', { priority: 0 })
const b = catalogSource('olm/b', { priority: 10 })
const own = catalogSource('team/own', { priority: -5 })

t.test("who wins a name: own catalogs, then priority, then the catalog's name", async (t) => {
  const resource = createPackageManifestResource({ globalNamespace: 'olm', now: Date.now })
  const winner = async (namespace: string, query = '') => {
    const request = getRequest(namespace, 'dup', { query: new URLSearchParams(query) })
    const { metadata, status } = await bodyOf<Manifest>(await resource.get(request))
    t.equal(metadata.namespace, namespace)
    return `${status.catalogSourceNamespace}/${status.catalogSource}`
  }
  for (const source of [a, b, own]) await resource.replace(source, [offer(source, 'dup'), offer(source, source.name)])
  t.equal(await winner('default'), 'olm/b')
  t.equal(await winner('olm'), 'olm/b')
  t.equal(await winner('team'), 'team/own')
  t.equal(await winner('team', 'catalog=a'), 'olm/a')
  t.equal(await winner('team', 'catalog=a&catalog-namespace=olm'), 'olm/a')
  t.equal(await winner('team', 'catalog=&catalog-namespace=olm'), 'olm/b')
  t.match(await statusOf(resource.get(getRequest('team', 'dup', { query: new URLSearchParams('catalog=none') }))), {
    code: 404,
  })
  const lower = { ...b, priority: 0 }
  await resource.replace(lower, [offer(lower, 'dup'), offer(lower, 'b')])
  t.equal(await winner('default'), 'olm/a', 'by name where priorities are equal')
  const list = await bodyOf<{ items: Manifest[] }>(await resource.list(listRequest({ namespace: 'team' })))
  t.same(
    list.items.map(({ metadata, status }) => `${metadata.namespace} ${metadata.name} ${status.catalogSource}`),
    ['team a a', 'team b b', 'team dup own', 'team dup a', 'team dup b', 'team own own'],
  )
  resource.close()
})

t.test('not found, and not yet known', async (t) => {
  let settled = false
  const resource = createPackageManifestResource({
    globalNamespace: 'olm',
    now: Date.now,
    settled: (namespace) => namespace !== 'slow' || settled,
  })
  await resource.replace(a, [offer(a, 'p')])
  t.match(await statusOf(resource.get(getRequest('olm', 'nothere'))), {
    code: 404,
    reason: 'NotFound',
    message: 'packagemanifests.packages.operators.coreos.com "nothere" not found',
    details: { name: 'nothere', group: 'packages.operators.coreos.com', kind: 'packagemanifests' },
  })
  t.match(await statusOf(resource.get(getRequest('slow', 'nothere'))), { code: 503, reason: 'ServiceUnavailable' })
  t.match(await statusOf(resource.getSubresource('icon', getRequest('slow', 'nothere'))), { code: 503 })
  t.match(
    await bodyOf(await resource.get(getRequest('slow', 'p'))),
    { metadata: { name: 'p' } },
    'what is known is answered',
  )
  t.equal((await bodyOf<ObjectList>(await resource.list(listRequest({ namespace: 'slow' })))).items.length, 1)
  settled = true
  t.match(await statusOf(resource.get(getRequest('slow', 'nothere'))), { code: 404 })
  t.match(await statusOf(resource.getSubresource('scale', getRequest('olm', 'p'))), { code: 404 })
  resource.close()
})

t.test('warnings are asked for what the answer rests on', async (t) => {
  const asked: Basis[] = []
  const warnings = (basis: Basis) => {
    asked.push(basis)
    return ['stale']
  }
  const resource = createPackageManifestResource({ globalNamespace: 'olm', now: Date.now, warnings })
  await resource.replace(a, [offer(a, 'p')])
  t.same((await resource.get(getRequest('team', 'p'))).warnings, ['stale'])
  t.same((await resource.list(listRequest({ namespace: 'team' }))).warnings, ['stale'])
  t.same(asked, [
    { namespace: 'team', owners: ['olm/a'] },
    { namespace: 'team', owners: undefined },
  ])
  resource.close()
})

t.test('resourceVersion of lists and gets', async (t) => {
  let now = Date.UTC(2026, 5, 1)
  const resource = createPackageManifestResource({ globalNamespace: '', now: () => now })
  const versions: string[] = []
  for (const revision of [1, 2, 3]) {
    now += 1000
    await resource.replace(a, [offer(a, 'p', revision)])
    versions.push(String(resource.stored.store.state().version))
  }
  const [first = '', second = '', present = ''] = versions
  const list = (more: Partial<ListRequest>) => resource.list(listRequest(more))
  const ok = async (more: Partial<ListRequest>) => (await bodyOf<ObjectList>(await list(more))).metadata.resourceVersion
  for (const resourceVersion of ['', '0', first, second, present]) {
    t.equal(await ok({ resourceVersion }), present, `"${resourceVersion}": not older`)
  }
  for (const resourceVersion of ['0', first, present]) {
    t.equal(await ok({ resourceVersion, resourceVersionMatch: 'NotOlderThan', limit: 1 }), present)
  }
  t.equal(await ok({ resourceVersion: present, resourceVersionMatch: 'Exact' }), present)
  t.equal(await ok({ resourceVersion: present, limit: 1 }), present, 'exact where a limit is set')
  const gone = await statusOf(list({ resourceVersion: first, resourceVersionMatch: 'Exact' }))
  t.match(gone, { code: 410, reason: 'Expired' })
  t.match(await statusOf(list({ resourceVersion: first, limit: 1 })), { code: 410 })
  const tooLarge = {
    code: 504,
    reason: 'Timeout',
    details: { causes: [{ reason: 'ResourceVersionTooLarge' }], retryAfterSeconds: 1 },
  }
  const future = String(Number(present) + 1)
  for (const resourceVersion of [
    future,
    String(Number(present) + 1e6),
    '5',
    '99999999999999999999',
    String(Number(first) - 3),
  ]) {
    t.match(await statusOf(list({ resourceVersion })), tooLarge, resourceVersion)
    t.match(await statusOf(list({ resourceVersion, resourceVersionMatch: 'NotOlderThan' })), tooLarge)
    t.match(await statusOf(resource.get(getRequest('olm', 'p', { resourceVersion }))), tooLarge)
  }
  t.match(await statusOf(list({ resourceVersion: future, resourceVersionMatch: 'Exact' })), tooLarge)
  t.match(await statusOf(list({ resourceVersion: '5', resourceVersionMatch: 'Exact' })), { code: 410 })
  t.ok(await resource.get(getRequest('olm', 'p', { resourceVersion: first })))
  t.ok(await resource.get(getRequest('olm', 'p', { resourceVersion: '0' })))
  resource.close()
})

t.test('how a watch begins', async (t) => {
  const resource = createPackageManifestResource({ globalNamespace: '', now: Date.now })
  await resource.replace(a, [offer(a, 'p')])
  const present = String(resource.stored.store.state().version)
  const types = async (more: Parameters<typeof watchRequest>[0]) => {
    const cursor = await resource.watch(watchRequest({ allowBookmarks: true, ...more }))
    const { frames, ended } = cursor.read(1e9)
    cursor.close()
    const seen = frames.map((frame) => JSON.parse(Buffer.from(frame).toString()) as { type: string })
    return [...seen.map(({ type }) => type), ...(ended ? ['end'] : [])].join()
  }
  t.equal(await types({}), 'ADDED')
  t.equal(await types({ resourceVersion: '0' }), 'ADDED')
  t.equal(await types({ resourceVersion: present }), '')
  t.equal(await types({ sendInitialEvents: false }), '')
  t.equal(await types({ sendInitialEvents: true }), 'ADDED,BOOKMARK')
  t.equal(await types({ sendInitialEvents: true, resourceVersion: present }), 'ADDED,BOOKMARK')
  t.equal(await types({ sendInitialEvents: true, allowBookmarks: false }), 'ADDED')
  for (const resourceVersion of [
    '5',
    '99999999999999999999',
    String(Number(present) + 1),
    String(Number(present) + 1e6),
  ]) {
    t.equal(await types({ resourceVersion }), 'ERROR,end', resourceVersion)
    t.equal(await types({ resourceVersion, sendInitialEvents: true }), 'ERROR,end')
  }
  resource.close()
})

t.test('equal content keeps its number, its ETag and its list', async (t) => {
  const resource = createPackageManifestResource({ globalNamespace: '', now: Date.now })
  await resource.replace(a, [offer(a, 'p'), offer(a, 'q')])
  const before = await resource.list(listRequest())
  const version = resource.stored.store.state().version
  t.equal(await resource.replace(a, [offer(a, 'q'), offer(a, 'p')]), true)
  t.equal(resource.stored.store.state().version, version)
  t.equal((await resource.list(listRequest())).etag, before.etag)
  await resource.replace(a, [offer(a, 'q'), offer(a, 'p', 2)])
  t.ok(resource.stored.store.state().version > version)
  t.not((await resource.list(listRequest())).etag, before.etag)
  resource.close()
})

t.test('a later change of a catalog wins over one that is still being encoded', async (t) => {
  const resource = createPackageManifestResource({ globalNamespace: '', now: Date.now })
  const large = 'x'.repeat(600 * 1024)
  function* slow() {
    for (const name of ['p', 'q', 'r']) yield offer(a, name, 1, { description: large })
  }
  const first = resource.replace(a, slow())
  const second = resource.replace(a, [offer(a, 'z')])
  t.same(await Promise.all([first, second]), [false, true])
  const third = resource.replace(a, slow())
  resource.remove('olm/a')
  t.equal(await third, false)
  t.equal((await bodyOf<ObjectList>(await resource.list(listRequest()))).items.length, 0)
  resource.close()
})

t.test('what is said to be unchanged is neither made nor encoded again', async (t) => {
  const resource = createPackageManifestResource({ globalNamespace: '', now: Date.now })
  const icon = { mediatype: 'image/png', base64data: 'AAAA' }
  await resource.replace(a, [offer(a, 'p', 1, { icon }), offer(a, 'q')])
  const made: string[] = []
  const unchanged = (name: string) => ({
    unchanged: name,
    make() {
      made.push(name)
      return name === 'none' ? undefined : offer(a, name)
    },
  })
  const before = resource.stored.store.find('olm/a', 'p')
  await resource.replace(a, [unchanged('p'), offer(a, 'q', 2), unchanged('new'), unchanged('none')])
  t.equal(resource.stored.store.find('olm/a', 'p'), before)
  t.same(made, ['new', 'none'], 'but what is not known is')
  const { items } = await bodyOf<ObjectList>(await resource.list(listRequest()))
  t.same(
    items.map(({ metadata }) => metadata.name),
    ['new', 'p', 'q'],
  )
  t.equal((await resource.getSubresource('icon', getRequest('olm', 'p'))).contentType, 'image/png')
  resource.close()
})

t.test(
  'icons: that of the winner or of the catalog hinted at, safe to show, and told apart by content (R007, R078)',
  async (t) => {
    const resource = createPackageManifestResource({ globalNamespace: 'olm', now: Date.now })
    const icons = { a: Buffer.from('aaa'), b: Buffer.from('bbbb') }
    await resource.replace(a, [
      offer(a, 'dup', 1, { icon: { mediatype: 'image/png', base64data: icons.a.toString('base64') } }),
    ])
    await resource.replace(b, [
      offer(b, 'dup', 1, { icon: { mediatype: 'image/gif', base64data: icons.b.toString('base64') } }),
      offer(b, 'bare'),
    ])
    const icon = (name: string, query = '') =>
      resource.getSubresource(
        'icon',
        getRequest('default', name, { query: new URLSearchParams(query), resourceVersion: 'dup.stable.dup.v1+2' }),
      )
    const won = await icon('dup')
    t.equal(won.contentType, 'image/gif')
    t.same(Buffer.concat((await won.bytes('identity')) ?? []), icons.b)
    t.equal(await won.bytes('gzip'), undefined)
    t.match(won.headers, {
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
      'cache-control': /private/,
    })
    const hinted = await icon('dup', 'catalog=a&resourceVersion=x')
    t.equal(hinted.contentType, 'image/png')
    t.not(hinted.etag, won.etag)
    t.equal((await icon('bare')).contentType, 'image/svg+xml')
    await t.rejects(icon('nothere'), { message: /"nothere" not found/ })
    const version = resource.stored.store.state().version
    await resource.replace(a, [offer(a, 'dup')])
    t.equal(resource.stored.store.state().version, version, 'an icon is no part of the object')
    t.equal((await icon('dup', 'catalog=a')).contentType, 'image/svg+xml')
    resource.close()
  },
)
