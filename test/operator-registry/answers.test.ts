// Answers and words of the protocol where the recorded ones do not reach.
import { performance } from 'node:perf_hooks'
import t from 'tap'
import type { IndexedBundle, IndexedPackage, PackageIndex } from '../../src/file-based-catalog/package-index.ts'
import { createAnswers } from '../../src/operator-registry/answers.ts'
import { indexOf } from '../fixtures/catalog-index.ts'

const closed = async (): Promise<void> => undefined
const thing = { group: 'test.example', version: 'v1', kind: 'Thing', plural: '' }

function changed(
  index: PackageIndex,
  name: string,
  change: (pkg: IndexedPackage) => Partial<IndexedPackage>,
): PackageIndex {
  const packages = new Map(index.packages)
  const pkg = packages.get(name)
  if (pkg !== undefined) packages.set(name, { ...pkg, ...change(pkg) })
  return { ...index, packages }
}

t.test('what is not there is told in the words of the protocol', async (t) => {
  const answers = await createAnswers(indexOf('alpha'), closed)
  const stable = { pkgName: 'alpha', channelName: 'stable' }
  const none = { group: 'g"', version: 'v\n1', kind: 'Ключ', plural: 'ignored' }
  const provide = String.raw`group:"g\"" version:"v\n1" kind:"Ключ"`
  const cases: [() => unknown, string][] = [
    [() => answers.getPackage({ name: 'x"y' }), String.raw`package "x\"y" not found`],
    [() => answers.getBundle({ ...stable, pkgName: 'x', csvName: 'y' }), 'package "x" not found'],
    [() => answers.getBundle({ ...stable, channelName: 'c', csvName: 'y' }), 'package "alpha", channel "c" not found'],
    [
      () => answers.getBundle({ ...stable, csvName: '\u200b' }),
      String.raw`package "alpha", channel "stable", bundle "\u200b" not found`,
    ],
    [() => answers.getBundleForChannel({ ...stable, pkgName: '' }), 'package "" not found'],
    [() => answers.getBundleForChannel({ ...stable, channelName: 'c' }), 'package "alpha", channel "c" not found'],
    [() => answers.getBundleThatReplaces({ ...stable, pkgName: 'x"', csvName: 'y' }), 'package x" not found'],
    [
      () => answers.getBundleThatReplaces({ ...stable, channelName: 'c', csvName: 'y' }),
      'package "alpha", channel "c" not found',
    ],
    [
      () => answers.getBundleThatReplaces({ ...stable, csvName: 'y' }),
      'no entry found for package "alpha", channel "stable"',
    ],
    [() => answers.getChannelEntriesThatReplace({ csvName: 'y"' }), 'no channel entries found that replace y"'],
    [() => answers.getChannelEntriesThatProvide(none), `no channel entries found that provide ${provide}`],
    [() => answers.getLatestChannelEntriesThatProvide(none), `no channel entries found that provide ${provide}`],
    [() => answers.getDefaultBundleThatProvides(none), `no channel entries found that provide ${provide}`],
  ]
  for (const [ask, message] of cases) {
    await t.rejects(async () => ask(), { code: 'ANSWER_NOT_FOUND', message }, message)
  }
})

t.test('an API that only other channels provide has no default bundle', async (t) => {
  const index = changed(indexOf('alpha'), 'alpha', (pkg) => {
    const beta = pkg.channels.get('beta')
    const stable = pkg.channels.get('stable')
    if (beta === undefined || stable === undefined) return {}
    const first = [...stable.entries.values()].slice(0, 1)
    const old = { ...stable, head: 'alpha.v1.0.0', entries: new Map(first.map((entry) => [entry.name, entry])) }
    const bundles = new Map<string, IndexedBundle>(
      [...pkg.bundles].map(([name, bundle]) => [
        name,
        name.endsWith('v1.0.0') ? { ...bundle, providedApis: [] } : bundle,
      ]),
    )
    return { channels: new Map([...pkg.channels, ['stable', old]]), bundles }
  })
  const answers = await createAnswers(index, closed)
  const heads = answers.getLatestChannelEntriesThatProvide(thing)
  t.same(new Set(heads.map(({ channelName }) => channelName)), new Set(['beta']))
  await t.rejects(answers.getDefaultBundleThatProvides(thing), {
    message: 'no entry found that provides group:"test.example" version:"v1" kind:"Thing"',
  })
})

t.test('orders are fixed: packages by name, bundles by channel, package and name', async (t) => {
  const answers = await createAnswers(indexOf('alpha', 'beta'), closed)
  t.same([...answers.listPackages()], [{ name: 'alpha' }, { name: 'beta' }])
  const listed: string[] = []
  for await (const { channelName, csvName } of answers.listBundles()) listed.push(`${channelName} ${csvName}`)
  t.same(listed, [
    'beta alpha.v1.0.0',
    'beta alpha.v2.0.0',
    'beta beta.v1.0.0',
    'beta beta.v2.0.0',
    'stable alpha.v1.0.0',
    'stable alpha.v2.0.0',
    'stable beta.v1.0.0',
    'stable beta.v2.0.0',
  ])
})

t.test('edges: an entry counts once for what it replaces, once for each skip; the graph of providers', async (t) => {
  const answers = await createAnswers(indexOf('alpha'), closed)
  const entry = { packageName: 'alpha', bundleName: 'alpha.v2.0.0', replaces: 'alpha.v1.0.0' }
  t.same(answers.getChannelEntriesThatReplace({ csvName: 'alpha.v1.0.0' }), [
    { ...entry, channelName: 'beta' },
    { ...entry, channelName: 'stable' },
  ])
  t.same(answers.getChannelEntriesThatReplace({ csvName: 'alpha.v1.5.0' }), [
    { ...entry, channelName: 'beta' },
    { ...entry, channelName: 'stable' },
  ])
  const provided = answers.getChannelEntriesThatProvide(thing).filter(({ channelName }) => channelName === 'beta')
  t.same(
    provided.map(({ bundleName, replaces }) => [bundleName, replaces]),
    [
      ['alpha.v1.0.0', ''],
      ['alpha.v2.0.0', 'alpha.v1.0.0'],
      ['alpha.v2.0.0', 'alpha.v1.5.0'],
    ],
    'a skipped bundle counts though the channel does not hold it',
  )
  const latest = answers.getLatestChannelEntriesThatProvide(thing).filter(({ channelName }) => channelName === 'beta')
  t.same(
    latest.map(({ bundleName, replaces }) => [bundleName, replaces]),
    [['alpha.v2.0.0', 'alpha.v1.0.0']],
    'here it does not',
  )
})

t.test(
  'a bundle alone has manifests and no edges; in a list it has edges, and manifests only without an image',
  async (t) => {
    const index = changed(indexOf('alpha'), 'alpha', (pkg) => ({
      bundles: new Map(
        [...pkg.bundles].map(([name, bundle]) => [name, { ...bundle, image: name.endsWith('2.0.0') ? '' : 'i' }]),
      ),
    }))
    const answers = await createAnswers(index, closed)
    const alone = await answers.getBundle({ pkgName: 'alpha', channelName: 'beta', csvName: 'alpha.v2.0.0' })
    t.match(alone, {
      replaces: '',
      skips: [],
      object: { length: 1 },
      csvJson: /ClusterServiceVersion/,
      skipRange: '<2.0.0',
    })
    for await (const bundle of answers.listBundles()) {
      const withoutImage = bundle.csvName === 'alpha.v2.0.0'
      t.equal(bundle.csvJson.length > 0, withoutImage)
      t.equal(bundle.object.length > 0, withoutImage)
      t.equal(bundle.replaces, withoutImage ? 'alpha.v1.0.0' : '')
      t.same(bundle.deprecation, withoutImage ? null : { message: 'old' })
    }
  },
)

t.test('custom schemas: exactly of the package that is asked for; what cannot be a name is refused', async (t) => {
  const answers = await createAnswers(indexOf('alpha'), closed)
  const all = async (schema: string, packageName: string) => {
    const blobs: unknown[] = []
    for await (const blob of answers.listCustomSchemas({ schema, packageName })) blobs.push(blob)
    return blobs
  }
  t.same(await all('test.schema', 'alpha'), [{ schema: 'test.schema', package: 'alpha', value: 1 }])
  t.same(await all('test.schema', ''), [])
  t.same(await all('test.schema', 'beta'), [])
  t.same(await all('other', 'alpha'), [])
  const rule = '^[a-zA-Z0-9][a-zA-Z0-9._-]*$'
  await t.rejects(all('', ''), { code: 'ANSWER_INVALID_ARGUMENT', message: 'schema is required' })
  await t.rejects(all('../x', ''), {
    message: `invalid custom schema query: invalid schema "../x": must match ${rule}`,
  })
  await t.rejects(all('a', '-'), {
    message: `invalid custom schema query: invalid packageName "-": must match ${rule}`,
  })
})

t.test('a question about providers takes under a millisecond among 50,000 entries', async (t) => {
  const template = indexOf('p').packages.get('p')
  if (template === undefined) return
  const packages = new Map<string, IndexedPackage>()
  for (let place = 0; place < 12_500; place++) {
    const api = { group: `g${place % 2500}`, version: 'v1', kind: 'Thing' }
    const bundles = new Map([...template.bundles].map(([name, bundle]) => [name, { ...bundle, providedApis: [api] }]))
    packages.set(`p${place}`, { ...template, name: `p${place}`, bundles })
  }
  const answers = await createAnswers({ ...indexOf('x'), packages }, closed)
  const times = Array.from({ length: 201 }, (_, place) => {
    const begun = performance.now()
    const found = answers.getChannelEntriesThatProvide({ group: `g${place}`, version: 'v1', kind: 'Thing', plural: '' })
    const took = performance.now() - begun
    if (found.length !== 30) t.fail(`${found.length} entries`)
    return took
  }).sort((a, b) => a - b)
  const median = times[100] ?? Number.POSITIVE_INFINITY
  t.ok(median < 1, `median ${median.toFixed(3)} ms`)
})
