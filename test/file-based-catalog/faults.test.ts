// Each fault by its rule, with file, line and column, what it concerns and how to mend it; all of them at once.
import t, { type Test } from 'tap'
import type { Fault } from '../../src/file-based-catalog/fault.ts'
import { RULES, type Rule } from '../../src/file-based-catalog/rules.ts'
import {
  type Blob,
  bundleBlob,
  channelBlob,
  load,
  loadBlobs,
  objectProperty,
  packageBlob,
  packageProperty,
  writeFiles,
} from '../fixtures/small-catalog.ts'

const entries = (...names: readonly (string | Blob)[]): Blob => ({
  entries: names.map((name) => (typeof name === 'string' ? { name } : name)),
})
const properties = (...list: readonly Blob[]): Blob => ({ properties: list })
const deprecations = (...list: readonly Blob[]): Blob => ({
  schema: 'olm.deprecations',
  package: 'foo',
  entries: list,
})
const sound = [packageBlob(), channelBlob(), bundleBlob()]

/** One thing wrong, and the rules that it breaks. */
const TABLE: readonly (readonly [what: string, rules: readonly Rule[], blobs: readonly Blob[]])[] = [
  ['nothing', [], sound],
  ['no object', ['not-an-object'], [['x'] as unknown as Blob]],
  ['no schema', ['schema-missing'], [{ name: 'x' }]],
  ['a field twice', ['duplicate-field'], [{ schema: 'a.b', Schema: 'c.d' }]],
  ['a name that is a number', ['field-type'], [{ schema: 'olm.package', name: 1.1 }]],
  [
    'entries that are no list',
    ['field-type', 'bundle-in-no-channel', 'channel-empty'],
    [packageBlob(), channelBlob({ entries: 'x' }), bundleBlob()],
  ],
  ['a package without a name', ['package-name-missing'], [packageBlob({ name: '' }), ...sound]],
  ['two packages of one name', ['package-duplicate'], [packageBlob(), ...sound]],
  [
    'a package name with dots',
    ['package-name-invalid', 'default-channel-missing', 'channels-missing'],
    [packageBlob({ name: 'a.b', defaultChannel: '' })],
  ],
  ['a channel of no package', ['package-unknown'], [...sound, channelBlob({ package: 'bar' })]],
  [
    'a bundle of no package',
    ['package-unknown'],
    [...sound, bundleBlob('2.0.0', { package: 'bar', ...properties(packageProperty({ packageName: 'bar' })) })],
  ],
  [
    'a bundle that names no package',
    ['package-missing', 'package-property-mismatch'],
    [...sound, bundleBlob('2.0.0', { package: '' })],
  ],
  ['a channel without a name', ['channel-name-missing'], [...sound, channelBlob({ name: '' })]],
  ['a channel twice', ['channel-duplicate'], [...sound, channelBlob()]],
  [
    'an entry twice',
    ['entry-duplicate'],
    [packageBlob(), channelBlob(entries('foo.v1.0.0', 'foo.v1.0.0')), bundleBlob()],
  ],
  ['a bundle twice', ['bundle-duplicate'], [...sound, bundleBlob()]],
  [
    'a property without value',
    ['property-invalid'],
    [packageBlob(), channelBlob(), bundleBlob('1.0.0', properties(packageProperty(), { type: 'a.b' }))],
  ],
  [
    'no olm.package property',
    ['package-property-count'],
    [packageBlob(), channelBlob(), bundleBlob('1.0.0', properties())],
  ],
  [
    'two olm.package properties',
    ['package-property-count'],
    [packageBlob(), channelBlob(), bundleBlob('1.0.0', properties(packageProperty(), packageProperty()))],
  ],
  [
    'another package in the property',
    ['package-property-mismatch'],
    [packageBlob(), channelBlob(), bundleBlob('1.0.0', properties(packageProperty({ packageName: 'bar' })))],
  ],
  [
    'an image that is none',
    ['image-invalid'],
    [packageBlob(), channelBlob(), bundleBlob('1.0.0', { image: 'No Image' })],
  ],
  [
    'a related image that is none',
    ['image-invalid'],
    [packageBlob(), channelBlob(), bundleBlob('1.0.0', { relatedImages: [{ image: 'x' }, { image: 'X' }] })],
  ],
  ['no image and no object', ['image-missing'], [packageBlob(), channelBlob(), bundleBlob('1.0.0', { image: '' })]],
  [
    'a version that is none',
    ['version-invalid'],
    [packageBlob(), channelBlob(), bundleBlob('1.0.0', properties(packageProperty({ version: '1.0' })))],
  ],
  [
    'a release that is none',
    ['release-invalid', 'bundle-name-not-normalized'],
    [packageBlob(), channelBlob(), bundleBlob('1.0.0', properties(packageProperty({ release: '01' })))],
  ],
  ['a bundle in no channel', ['bundle-in-no-channel'], [...sound, bundleBlob('2.0.0')]],
  [
    'an entry without bundle',
    ['entry-without-bundle'],
    [packageBlob(), channelBlob(entries('foo.v1.0.0', { name: 'foo.v2.0.0', replaces: 'foo.v1.0.0' })), bundleBlob()],
  ],
  [
    'an object that is not base64',
    ['bundle-object-invalid'],
    [
      packageBlob(),
      channelBlob(),
      bundleBlob('1.0.0', properties(packageProperty(), { type: 'olm.bundle.object', value: { data: '!' } })),
    ],
  ],
  [
    'an object that is not YAML',
    ['bundle-object-invalid'],
    [packageBlob(), channelBlob(), bundleBlob('1.0.0', properties(packageProperty(), objectProperty('a: [')))],
  ],
  [
    'no default channel',
    ['default-channel-missing'],
    [packageBlob({ defaultChannel: '' }), channelBlob(), bundleBlob()],
  ],
  [
    'a dangling default channel',
    ['default-channel-unknown'],
    [packageBlob({ defaultChannel: 'beta' }), channelBlob(), bundleBlob()],
  ],
  ['no channel', ['default-channel-missing', 'channels-missing'], [packageBlob({ defaultChannel: '' })]],
  ['a channel without entries', ['channel-empty'], [packageBlob(), channelBlob({ entries: [] })]],
  [
    'two heads',
    ['heads-several'],
    [packageBlob(), channelBlob(entries('foo.v1.0.0', 'foo.v2.0.0')), bundleBlob(), bundleBlob('2.0.0')],
  ],
  [
    'no head',
    ['head-missing'],
    [packageBlob(), channelBlob(entries({ name: 'foo.v1.0.0', replaces: 'foo.v1.0.0' })), bundleBlob()],
  ],
  [
    'a cycle',
    ['replaces-cycle'],
    [
      packageBlob(),
      channelBlob(
        entries(
          { name: 'foo.v3.0.0', replaces: 'foo.v2.0.0' },
          { name: 'foo.v2.0.0', replaces: 'foo.v1.0.0' },
          { name: 'foo.v1.0.0', replaces: 'foo.v2.0.0' },
        ),
      ),
      bundleBlob(),
      bundleBlob('2.0.0'),
      bundleBlob('3.0.0'),
    ],
  ],
  [
    'a stranded entry',
    ['entry-stranded'],
    [
      packageBlob(),
      channelBlob(
        entries(
          'foo.v1.0.0',
          { name: 'foo.v2.0.0', replaces: 'foo.v1.0.0' },
          { name: 'foo.v3.0.0', skips: ['foo.v2.0.0'] },
        ),
      ),
      bundleBlob(),
      bundleBlob('2.0.0'),
      bundleBlob('3.0.0'),
    ],
  ],
  [
    'an empty skip',
    ['skip-empty'],
    [packageBlob(), channelBlob(entries({ name: 'foo.v1.0.0', skips: [''] })), bundleBlob()],
  ],
  [
    'a skip range that is none',
    ['skip-range-invalid'],
    [packageBlob(), channelBlob(entries({ name: 'foo.v1.0.0', skipRange: '~1' })), bundleBlob()],
  ],
  [
    'an entry without name',
    ['replaces-cycle', 'bundle-name-missing'],
    [packageBlob(), channelBlob(entries('')), bundleBlob('1.0.0', { name: '' })],
  ],
  [
    'one version twice',
    ['versions-duplicate'],
    [
      packageBlob(),
      channelBlob(entries('foo.v1.0.0', { name: 'x', replaces: 'foo.v1.0.0' })),
      bundleBlob(),
      bundleBlob('1.0.0', { name: 'x' }),
    ],
  ],
  [
    'build metadata and a release',
    ['build-metadata-with-release'],
    [
      packageBlob(),
      channelBlob(entries('foo-v1.0.0+b-1')),
      bundleBlob('1.0.0', {
        name: 'foo-v1.0.0+b-1',
        ...properties(packageProperty({ version: '1.0.0+b', release: '1' })),
      }),
    ],
  ],
  ['deprecations of no package', ['deprecation-package-missing'], [...sound, { ...deprecations(), package: '' }]],
  ['deprecations of an unknown package', ['deprecation-unknown'], [...sound, { ...deprecations(), package: 'bar' }]],
  ['deprecations twice', ['deprecation-duplicate'], [...sound, deprecations(), deprecations()]],
  [
    'a deprecated bundle that does not exist',
    ['deprecation-unknown'],
    [...sound, deprecations({ reference: { schema: 'olm.bundle', name: 'x' }, message: 'm' })],
  ],
  [
    'a deprecated channel that does not exist',
    ['deprecation-unknown'],
    [...sound, deprecations({ reference: { schema: 'olm.channel', name: 'x' }, message: 'm' })],
  ],
  [
    'a deprecated package by name',
    ['deprecation-package-named'],
    [...sound, deprecations({ reference: { schema: 'olm.package', name: 'foo' }, message: 'm' })],
  ],
  [
    'a deprecation without schema',
    ['deprecation-schema-missing'],
    [...sound, deprecations({ reference: {}, message: 'm' })],
  ],
  [
    'a deprecation of something else',
    ['deprecation-schema-unknown'],
    [...sound, deprecations({ reference: { schema: 'a.b' }, message: 'm' })],
  ],
  [
    'a deprecation twice',
    ['deprecation-entry-duplicate'],
    [
      ...sound,
      deprecations(
        { reference: { schema: 'olm.package' }, message: 'm' },
        { reference: { schema: 'olm.package' }, message: 'n' },
      ),
    ],
  ],
  [
    'a deprecation without message',
    ['deprecation-message-missing'],
    [...sound, deprecations({ reference: { schema: 'olm.package' } })],
  ],
]

t.test('each thing that can be wrong is told by its rule', async (t) => {
  for (const [what, rules, blobs] of TABLE) {
    const { faults, error } = await loadBlobs(t.testdir(), ...blobs)
    t.strictSame(rulesOf(faults), rules, what)
    t.equal(error === undefined, rules.length === 0, `${what}: the reference program refuses it too`)
    checkWhole(t, faults, what)
  }
})

t.test('only when served', async (t) => {
  const metadata = { type: 'olm.csv.metadata', value: {} }
  const bundle = bundleBlob('1.0.0', properties(packageProperty(), metadata, metadata))
  const { faults, servingFaults, index } = await loadBlobs(t.testdir(), packageBlob(), channelBlob(), bundle, {
    schema: 'a/b',
  })
  t.strictSame(faults, [])
  t.strictSame(rulesOf(servingFaults), ['custom-schema-invalid', 'csv-metadata-several'])
  t.equal(index.packages.size, 0, 'a package that cannot be served is left out')
})

t.test('line and column of JSON and YAML', async (t) => {
  const yaml = [
    '---',
    'schema: olm.package',
    'name: foo',
    'defaultChannel: beta',
    '---',
    'schema: olm.channel',
    'package: foo',
    'name: stable',
    'entries:',
    '- name: foo.v1.0.0',
    '  skipRange: nonsense',
    '---',
    'Schema: olm.bundle',
    'Package: foo',
    'name: foo.v1.0.0',
    'image: example.com/foo:1',
    'properties:',
    '- type: olm.package',
    '  value:',
    '    packageName: foo',
    '    Version: 1.0',
  ].join('\n')
  const json =
    '{"schema": "olm.package",\n  "name": "bar", "defaultChannel": "x"}\n\n{ "schema": "olm.channel",\n "package":  "nobody" }'
  const { faults } = await load(await writeFiles(t.testdir(), { 'sub/a.yaml': yaml, 'b.json': json }))
  t.strictSame(
    faults.map(({ rule, file, line, column }) => `${file}:${line}:${column} ${rule}`),
    [
      'b.json:5:14 package-unknown',
      'sub/a.yaml:21:14 property-invalid',
      'b.json:2:36 default-channel-unknown',
      'sub/a.yaml:4:17 default-channel-unknown',
      'sub/a.yaml:11:14 skip-range-invalid',
    ],
  )
  t.match(faults[1], { package: 'foo', channel: undefined, bundle: 'foo.v1.0.0' })
  t.match(faults[4], { package: 'foo', channel: 'stable', bundle: 'foo.v1.0.0' })
})

t.test('a deprecation without message is told where it stands, in its own file', async (t) => {
  const catalog = [packageBlob(), channelBlob(), bundleBlob('1.0.0')].map((blob) => JSON.stringify(blob)).join('\n')
  const deprecations = [
    'schema: olm.deprecations',
    'package: foo',
    'entries:',
    '- reference: {schema: olm.package}',
    '- reference: {schema: olm.channel, name: stable}',
    '  message: ""',
    '- reference: {schema: olm.bundle, name: foo.v1.0.0}',
  ].join('\n')
  const { faults } = await load(await writeFiles(t.testdir(), { 'a.json': catalog, 'b.yaml': deprecations }))
  t.strictSame(
    faults.map(({ rule, file, line, column, bundle }) => `${file}:${line}:${column} ${rule} ${bundle ?? ''}`),
    [
      'b.yaml:7:3 deprecation-message-missing foo.v1.0.0',
      'b.yaml:5:3 deprecation-message-missing ',
      'b.yaml:4:3 deprecation-message-missing ',
    ],
  )
})

t.test('every rule of the table is broken somewhere', async (t) => {
  const elsewhere: readonly Rule[] = [
    'file-unreadable',
    'link-refused',
    'file-type-refused',
    'document-too-large',
    'sqlite-catalog',
    'syntax',
    'csv-metadata-several',
    'custom-schema-invalid',
  ]
  const broken = new Set([...TABLE.flatMap(([, rules]) => rules), ...elsewhere])
  t.strictSame(
    Object.keys(RULES).filter((rule) => !broken.has(rule as Rule)),
    [],
  )
})

function rulesOf(faults: readonly Fault[]): readonly Rule[] {
  return faults.map(({ rule }) => rule)
}

function checkWhole(t: Test, faults: readonly Fault[], what: string): void {
  for (const fault of faults) {
    t.equal(fault.file, 'catalog.json', `${what}: file`)
    t.ok((fault.line ?? 0) > 0 && (fault.column ?? 0) > 0, `${what}: line and column`)
    t.ok(fault.message.length > 0 && fault.reference.length > 0, `${what}: message`)
    t.equal(fault.remedy, RULES[fault.rule], `${what}: how to mend it`)
  }
}
