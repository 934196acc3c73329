import { connect } from 'node:tls'
import t, { type Test } from 'tap'
import type { Authorizer } from '../../src/http/authorization.ts'
import type { Resource } from '../../src/http/resource.ts'
import { expired } from '../../src/http/status.ts'
import { createPackageManifestResource } from '../../src/package-server/package-manifest-resource.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type Served, type ServeOptions, serve, tlsOptions } from '../fixtures/http-server.ts'
import { catalogSource, offer } from '../fixtures/offered-manifests.ts'
import { openWatch } from '../fixtures/watch-stream.ts'

const LIST = '/apis/packages.operators.coreos.com/v1/packagemanifests'
const source = catalogSource('olm/small')

async function serveCatalog(t: Test, options: ServeOptions = {}) {
  const resource = createPackageManifestResource({ globalNamespace: 'olm', now: Date.now })
  t.teardown(() => resource.close())
  await resource.replace(source, [offer(source, 'alpha'), offer(source, 'beta')])
  return { resource, served: await serve(t, { resources: [resource], ...options }) }
}

async function versionOf({ ask }: Served): Promise<string> {
  const { json } = await ask(LIST)
  return (json as { metadata: { resourceVersion: string } }).metadata.resourceVersion
}

t.test('changes after a list, as lines of JSON', async (t) => {
  const { resource, served } = await serveCatalog(t)
  const version = await versionOf(served)
  const watch = await openWatch(served, `${LIST}?watch=true&resourceVersion=${version}`)
  t.equal(watch.status, 200)
  t.match(watch.headers, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' })
  await resource.replace(source, [offer(source, 'alpha', 2), offer(source, 'beta')])
  t.match(await watch.next(), { type: 'MODIFIED', object: { kind: 'PackageManifest', metadata: { name: 'alpha' } } })
  await resource.replace(source, [offer(source, 'alpha', 2), offer(source, 'gamma')])
  const two = [await watch.next(), await watch.next()]
  t.same(two.map((one) => `${one?.type} ${one?.object.metadata.name}`).sort(), ['ADDED gamma', 'DELETED beta'])
  watch.destroy()
  await eventually('the watch is gone', () => served.server.watches === 0)
})

t.test('without a version: what there is first; with sendInitialEvents closed by a marked bookmark', async (t) => {
  const { served } = await serveCatalog(t)
  const plain = await openWatch(served, `${LIST}?watch=1&timeoutSeconds=1`)
  t.same(
    (await plain.rest()).map((one) => one.type),
    ['ADDED', 'ADDED'],
  )
  t.equal(await plain.end, 'clean')
  const query =
    'watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
  const marked = await (await openWatch(served, `${LIST}?${query}`)).rest()
  t.match(marked[2], {
    type: 'BOOKMARK',
    object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
  })
})

t.test('time', async (t) => {
  const { served } = await serveCatalog(t, { bounds: { bookmarkMilliseconds: 600 } })
  for (const seconds of ['-1', '-9']) {
    const watch = await openWatch(served, `${LIST}?watch=1&timeoutSeconds=${seconds}`)
    await watch.rest()
    t.equal(await watch.end, 'clean', `${seconds} ends at once`)
  }
  const silent = await openWatch(served, `${LIST}?watch=1&timeoutSeconds=2&allowWatchBookmarks=false`)
  const spoken = await openWatch(served, `${LIST}?watch=1&timeoutSeconds=5&allowWatchBookmarks=true`)
  t.same(
    (await silent.rest()).map((one) => one.type),
    ['ADDED', 'ADDED'],
  )
  const events = await spoken.rest()
  const bookmarks = events.filter((one) => one.type === 'BOOKMARK')
  t.ok(bookmarks.length >= 2, `${bookmarks.length} bookmarks`)
  t.match(bookmarks[0]?.object, { kind: 'PackageManifest', metadata: { resourceVersion: /^\d+$/ } })
})

t.test('gzip: each event can be read when it comes', async (t) => {
  const { resource, served } = await serveCatalog(t)
  const watch = await openWatch(served, `${LIST}?watch=1&timeoutSeconds=3`, { 'accept-encoding': 'gzip' })
  t.equal(watch.headers['content-encoding'], 'gzip')
  t.match([await watch.next(), await watch.next()], [{ type: 'ADDED' }, { type: 'ADDED' }])
  await resource.replace(source, [offer(source, 'alpha', 3), offer(source, 'beta')])
  t.match(await watch.next(), { type: 'MODIFIED', object: { metadata: { name: 'alpha' } } })
  t.same(await watch.rest(), [], 'and the stream ends as a whole gzip stream')
  t.equal(await watch.end, 'clean')
})

t.test('a version that is gone is an ERROR event', async (t) => {
  const { served, resource } = await serveCatalog(t)
  const unknown = await openWatch(served, `${LIST}?watch=1&resourceVersion=5`)
  t.match(await unknown.rest(), [{ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }])
  t.equal(await unknown.end, 'clean')
  const throwing: Resource = { ...resource, watch: () => Promise.reject(expired('gone')) }
  const other = await serve(t, { resources: [throwing] })
  const thrown = await openWatch(other, `${LIST}?watch=1&resourceVersion=5`)
  t.match(await thrown.rest(), [{ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }])
})

t.test('close ends every watch cleanly, and later ones at once', async (t) => {
  const { served } = await serveCatalog(t)
  const watches = await Promise.all([1, 2, 3].map(() => openWatch(served, `${LIST}?watch=1`)))
  await eventually('all run', () => served.server.watches === 3)
  await Promise.all([served.server.close(), ...watches.map((one) => one.rest())])
  t.same(await Promise.all(watches.map((one) => one.end)), ['clean', 'clean', 'clean'])
})

t.test('a watch ends when its caller may no longer watch', async (t) => {
  let allowed = true
  const authorize: Authorizer = async () => (allowed ? { allowed } : { allowed: false, reason: '' })
  const { served } = await serveCatalog(t, { authorize, bounds: { reauthorizeMilliseconds: 50 } })
  const watch = await openWatch(served, `${LIST}?watch=1`)
  t.match(await watch.next(), { type: 'ADDED' })
  allowed = false
  await watch.rest()
  t.equal(await watch.end, 'clean')
  t.equal((await served.ask(`${LIST}?watch=1`)).status, 403)
})

t.test('places for watches are bounded, for each user', async (t) => {
  const { served } = await serveCatalog(t, { bounds: { watchesPerUser: 1 } })
  const first = await openWatch(served, `${LIST}?watch=1`)
  const refused = await served.ask(`${LIST}?watch=1`)
  t.match(refused, {
    status: 429,
    json: { kind: 'Status', reason: 'TooManyRequests' },
    headers: { 'retry-after': '1' },
  })
  first.destroy()
  await eventually('the place is free', () => served.server.watches === 0)
  const next = await openWatch(served, `${LIST}?watch=1&timeoutSeconds=-1`)
  t.equal(next.status, 200)
  await next.rest()
})

t.test('a reader that does not read is cut off and costs nobody else anything', async (t) => {
  const { resource, served } = await serveCatalog(t, { bounds: { stallMilliseconds: 700 } })
  const good = await openWatch(served, `${LIST}?watch=1`)
  const names: string[] = []
  const reading = (async () => {
    for (let event = await good.next(); event !== undefined; event = await good.next()) {
      names.push(event.object.metadata.name ?? '')
    }
  })()
  const { host, ca, cert, key } = tlsOptions(served.port, served.credentials)
  const lazy = connect({ host: host ?? '', port: served.port, ca, cert, key })
  t.teardown(() => lazy.destroy())
  lazy.on('error', () => undefined)
  lazy.pause()
  lazy.write(`GET ${LIST}?watch=1 HTTP/1.1\r\nHost: x\r\n\r\n`)
  await eventually('both run', () => served.server.watches === 2)
  const description = 'long '.repeat(100_000)
  let revision = 1
  await eventually(
    'the lazy one is cut',
    async () => {
      revision += 1
      await resource.replace(source, [offer(source, 'alpha', revision, { description })])
      return served.server.watches === 1
    },
    15_000,
  )
  await resource.replace(source, [offer(source, 'last')])
  await eventually('the other one has read to the end', () => names.includes('last'))
  t.equal(
    names.filter((name) => name === 'alpha').length,
    revision + 1,
    'and has missed nothing: each revision, its end',
  )
  good.destroy()
  await reading
})
