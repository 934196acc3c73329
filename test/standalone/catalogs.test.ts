// The catalogs that come with the project: valid, served whole, and really showing every feature that they are there to show.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { decodeClusterServiceVersion } from '../../src/api/cluster-service-version.ts'
import type { CsvDescription } from '../../src/api/package-manifest.ts'
import { loadCatalog } from '../../src/file-based-catalog/load-catalog.ts'
import { type ManifestWithIcon, toPackageManifests } from '../../src/package-server/to-package-manifest.ts'
import { servedSnapshot } from '../fixtures/served-snapshot.ts'

const FOLDER = fileURLToPath(new URL('../../src/standalone/catalogs', import.meta.url))
const CATALOGS = readdirSync(FOLDER)
const MODES = ['AllNamespaces', 'MultiNamespace', 'OwnNamespace', 'SingleNamespace']

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) =>
  statSync(join(FOLDER, path)).isFile(),
)

async function manifestsOf(name: string): Promise<readonly ManifestWithIcon[]> {
  const { address, snapshot } = await servedSnapshot(join(FOLDER, name))
  if (snapshot.leftOut.length > 0) throw new Error(JSON.stringify(snapshot.leftOut))
  const names = { namespace: 'olm', name, displayName: name, publisher: '' }
  return toPackageManifests(snapshot, {
    ...names,
    uid: undefined,
    creationTimestamp: undefined,
    labels: {},
    priority: 0,
    address,
  })
}

const served = new Map(await Promise.all(CATALOGS.map(async (name) => [name, await manifestsOf(name)] as const)))
const all = [...served.values()].flat()
const heads = all.flatMap(({ manifest }) => manifest.status.channels.map((channel) => channel.currentCSVDesc))
const annotations = (name: string) => heads.map((head) => head.annotations?.[name]).filter((text) => text !== undefined)

function some<T>(list: readonly T[], what: (one: T) => boolean): boolean {
  return list.some(what) && !list.every(what)
}

t.test('size and layout', async (t) => {
  t.ok(CATALOGS.length >= 2)
  t.ok(all.length >= 14, `${all.length} packages`)
  const bytes = files.reduce((sum, path) => sum + statSync(join(FOLDER, path)).size, 0)
  t.ok(bytes <= 1024 * 1024, `${bytes} bytes`)
  for (const [catalog, manifests] of served) {
    const folders = readdirSync(join(FOLDER, catalog), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    t.strictSame(
      folders.map(({ name }) => name).sort(),
      manifests.map(({ manifest }) => manifest.metadata.name),
      catalog,
    )
  }
  for (const kind of ['.yaml', '.json', '.indexignore'])
    t.ok(
      files.some((path) => path.endsWith(kind)),
      kind,
    )
  t.ok(
    files.some((path) => /\/bundles\//.test(path)),
    'sub-folders',
  )
})

t.test('valid', async (t) => {
  const index = new Map<string, Awaited<ReturnType<typeof loadCatalog>>>()
  for (const catalog of CATALOGS) {
    const options = { signal: AbortSignal.timeout(60_000), log: pino({ level: 'silent' }) }
    const loaded = await loadCatalog(join(FOLDER, catalog), options)
    t.strictSame([loaded.faults, loaded.servingFaults, loaded.error], [[], [], undefined], catalog)
    index.set(catalog, loaded)
  }
  const packages = [...index.values()].flatMap((loaded) => [...loaded.index.packages.values()])
  const entries = packages.flatMap((one) =>
    [...one.channels.values()].flatMap((channel) => [...channel.entries.values()]),
  )
  t.ok(
    some(entries, (entry) => entry.replaces !== ''),
    'replaces',
  )
  t.ok(
    some(entries, (entry) => entry.skips.length > 0),
    'skips',
  )
  t.ok(
    some(entries, (entry) => entry.skipRange !== ''),
    'skipRange',
  )
  const properties = new Set(
    packages.flatMap((one) => [...one.bundles.values()].flatMap((bundle) => bundle.properties)).map(({ type }) => type),
  )
  for (const type of ['olm.package', 'olm.gvk', 'olm.gvk.required', 'olm.package.required', 'olm.constraint'])
    t.ok(properties.has(type), type)
  const source = files
    .filter((path) => /\.(yaml|json)$/.test(path))
    .map((path) => readFileSync(join(FOLDER, path), 'utf8'))
  for (const type of ['olm.csv.metadata', 'olm.bundle.object'])
    t.ok(
      some(source, (text) => text.includes(type)),
      type,
    )
})

t.test('every manifest is complete', async (t) => {
  for (const { manifest, icon } of all) {
    const { name } = manifest.metadata
    t.ok(
      manifest.status.channels.some((channel) => channel.name === manifest.status.defaultChannel),
      `${name}: default channel`,
    )
    t.ok(manifest.status.provider.name && manifest.status.provider.url, `${name}: provider`)
    for (const { currentCSV, currentCSVDesc: head, entries } of manifest.status.channels) {
      t.ok(head.displayName && head.maturity && head.minKubeVersion, `${currentCSV}: texts`)
      t.ok(
        head.keywords?.length && head.links?.length && head.maintainers?.length && head.relatedImages?.length,
        `${currentCSV}: lists`,
      )
      t.equal(head.installModes?.length, 4, `${currentCSV}: install modes`)
      t.equal(entries[0]?.name, currentCSV, `${currentCSV}: newest entry`)
      t.ok((head.description?.length ?? 0) > 400, `${currentCSV}: description`)
      t.strictSame(
        exampleKinds(head),
        head.customresourcedefinitions.owned?.map(({ kind }) => kind),
        `${currentCSV}: alm-examples`,
      )
    }
    if (icon !== undefined) checkIcon(t, name, icon.mediatype, Buffer.from(icon.base64data, 'base64'))
  }
})

t.test('every feature is shown', async (t) => {
  t.ok(
    some(all, ({ manifest }) => manifest.status.channels.length > 1),
    'several channels and one',
  )
  const levels = [
    all.map(({ manifest }) => manifest.status.deprecation),
    all.flatMap(({ manifest }) => manifest.status.channels.map((channel) => channel.deprecation)),
    all.flatMap(({ manifest }) =>
      manifest.status.channels.flatMap(({ entries }) => entries.map((entry) => entry.deprecation)),
    ),
  ]
  for (const [level, found] of levels.entries())
    t.ok(
      some(found, (one) => one !== undefined),
      `deprecations on level ${level}`,
    )
  const types = all.map(({ icon }) => icon?.mediatype)
  for (const type of ['image/svg+xml', 'image/png', undefined]) t.ok(types.includes(type), `icon ${type}`)
  for (const mode of MODES) {
    const supported = heads.map((head) => head.installModes?.find(({ type }) => type === mode)?.supported)
    t.ok(supported.includes(true) && supported.includes(false), mode)
  }
  t.ok(
    some(heads, (head) => (head.customresourcedefinitions.required?.length ?? 0) > 0),
    'required definitions',
  )
  t.ok(
    some(heads, (head) => (head.apiservicedefinitions.owned?.length ?? 0) > 0),
    'owned APIs',
  )
  t.ok(
    some(heads, (head) => (head.nativeApis?.length ?? 0) > 0),
    'native APIs',
  )
  const categories = new Set(annotations('categories').flatMap((text) => text.split(', ')))
  t.ok(categories.size >= 12, [...categories].join())
  const capabilities = ['Auto Pilot', 'Basic Install', 'Deep Insights', 'Full Lifecycle', 'Seamless Upgrades']
  t.strictSame([...new Set(annotations('capabilities'))].sort(), capabilities)
  t.ok(
    some(heads, (head) => head.annotations?.['operatorframework.io/suggested-namespace'] !== undefined),
    'suggested namespace',
  )
  const labels = all.map(({ manifest }) => Object.keys(manifest.metadata.labels ?? {}))
  for (const label of ['arch.arm64', 'arch.s390x', 'arch.ppc64le', 'os.windows']) {
    t.ok(
      some(labels, (names) => names.includes(`operatorframework.io/${label}`)),
      label,
    )
  }
  t.ok(
    some(labels, (names) => names.includes('operatorframework.io/arch.amd64')),
    'one that does not run on amd64',
  )
  for (const [what, markdown] of MARKDOWN)
    t.ok(
      heads.some(({ description = '' }) => markdown.test(description)),
      what,
    )
  t.ok(
    some(heads, ({ version }) => /-/.test(version)),
    'pre-releases',
  )
  t.ok(
    some(heads, ({ version }) => /\+/.test(version)),
    'build metadata',
  )
})

t.test('one name in two catalogs, and not the same package', async (t) => {
  const both = all.filter(({ manifest }) => manifest.metadata.name === 'ledgerstore')
  const [one, other] = both.map(({ manifest }) => manifest)
  t.equal(both.length, 2)
  t.not(one?.status.catalogSource, other?.status.catalogSource)
  t.not(one?.status.channels[0]?.currentCSVDesc.displayName, other?.status.channels[0]?.currentCSVDesc.displayName)
  t.not(both[0]?.icon?.base64data, both[1]?.icon?.base64data)
})

t.test('nothing points at anybody: every host is reserved for examples', async (t) => {
  const texts = files.map((path) => readFileSync(join(FOLDER, path), 'utf8'))
  for (const text of texts) {
    const objects = [...text.matchAll(/data"?: "?([A-Za-z0-9+/=]{200,})/g)].map(([, data = '']) =>
      Buffer.from(data, 'base64').toString(),
    )
    for (const host of [text, ...objects].join('\n').matchAll(/(?:https?:\/\/|[\w.]@)([\w-]+(?:\.[\w-]+)+)/g)) {
      if (host[1] === 'www.w3.org') continue
      t.match(host[1], /(?:\.example|^(?:.*\.)?example\.com|\.svc)$/)
    }
    for (const object of objects.filter((one) => one.includes('ClusterServiceVersion')))
      t.ok('csv' in decodeClusterServiceVersion(object))
  }
})

const MARKDOWN: readonly (readonly [string, RegExp])[] = [
  ['headings', /^#{1,3} /m],
  ['bullets', /^[-*] /m],
  ['numbered lists', /^1\. /m],
  ['code blocks', /^```\w+$/m],
  ['tables', /^\| ?-{3}/m],
  ['quotes', /^> /m],
  ['links', /\[[^\]]+\]\(https:/],
]

function exampleKinds(head: CsvDescription): readonly unknown[] {
  const examples: unknown = JSON.parse(head.annotations?.['alm-examples'] ?? '')
  return Array.isArray(examples) ? examples.map((example) => example.kind) : []
}

function checkIcon(t: Test, name: string, mediatype: string, bytes: Buffer): void {
  t.ok(bytes.length > 200 && bytes.length < 20_000, `${name}: ${bytes.length} bytes`)
  if (mediatype === 'image/png') t.equal(bytes.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n', name)
  else t.match(bytes.toString(), /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="[^<>]*>.*<\/svg>\n$/s, name)
}
