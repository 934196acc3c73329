import t from 'tap'
import { manifestLabels } from '../../src/package-server/manifest-labels.ts'

function labels(
  own: Readonly<Record<string, string>>,
  csv: { readonly provider?: object; readonly labels?: Readonly<Record<string, string>> } = {},
) {
  const made = manifestLabels({ namespace: 'ns', name: 'cat', labels: own }, { provider: {}, labels: {}, ...csv })
  return Object.fromEntries(Object.entries(made))
}

const ALWAYS = { catalog: 'cat', 'catalog-namespace': 'ns' }
const NOBODY = { provider: '', 'provider-url': '' }
const LINUX = { 'operatorframework.io/os.linux': 'supported' }
const AMD64 = { 'operatorframework.io/arch.amd64': 'supported' }

t.test('the catalog, the provider and the default platform are always there (R067)', async (t) => {
  t.strictSame(labels({}), { ...ALWAYS, ...AMD64, ...LINUX, ...NOBODY })
  const provider = { name: 'Harbour & Sons', url: 'https://harbour.example' }
  t.match(labels({}, { provider }), { provider: provider.name, 'provider-url': provider.url })
  t.match(labels({}, { provider: { name: 'Harbour' } }), { provider: 'Harbour', 'provider-url': '' })
})

t.test(
  'precedence: catalog, then provider, then the CSV; but catalog and catalog-namespace tell the truth',
  async (t) => {
    const own = {
      'opsrc-provider': 'a',
      tier: 'gold',
      provider: 'from-the-catalog',
      catalog: 'x',
      'catalog-namespace': 'y',
    }
    t.match(labels(own), { ...ALWAYS, ...NOBODY, 'opsrc-provider': 'a', tier: 'gold' })
    const csv = { tier: 'lead', 'provider-url': 'mine', catalog: 'lie', 'catalog-namespace': 'lie' }
    t.match(labels(own, { labels: csv }), { ...ALWAYS, provider: '', 'provider-url': 'mine', tier: 'lead' })
  },
)

t.test('a platform is assumed only where none of its kind is named (R072)', async (t) => {
  const os = (name: string) => `operatorframework.io/os.${name}`
  const arch = (name: string) => `operatorframework.io/arch.${name}`
  t.strictSame(labels({}, { labels: { [arch('arm64')]: 'supported' } }), {
    ...ALWAYS,
    ...NOBODY,
    ...LINUX,
    [arch('arm64')]: 'supported',
  })
  t.strictSame(labels({}, { labels: { [os('windows')]: 'supported' } }), {
    ...ALWAYS,
    ...NOBODY,
    ...AMD64,
    [os('windows')]: 'supported',
  })
  t.notMatch(labels({}, { labels: { [arch('arm64')]: '' } }), AMD64, 'whatever its value')
  t.notMatch(labels({ [arch('s390x')]: 'supported' }), AMD64, 'also by the catalog')
  t.notMatch(labels({ 'operatorframework.io/osmotic': '' }), LINUX, 'by the bare prefix')
  t.match(labels({ 'operatorframework.io/o': '' }), LINUX)
})

t.test('keys are sorted, hostile ones are keys like any other', async (t) => {
  const hostile = JSON.parse('{"__proto__":"p","constructor":"c","a":"1"}')
  const made = manifestLabels({ namespace: 'ns', name: 'cat', labels: hostile }, { provider: {}, labels: hostile })
  t.equal(Object.getPrototypeOf(made), null)
  t.strictSame(Object.keys(made), [...Object.keys(made)].sort())
  t.ok(Object.hasOwn(made, '__proto__'))
  t.ok(Object.isFrozen(made))
})
