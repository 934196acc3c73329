import { Ajv } from 'ajv'
import t from 'tap'
import type { CatalogStatus } from '../../src/api/catalog-status.ts'
import { CATALOG_STATUS_SCHEMA } from '../../src/api/catalog-status-schema.ts'
import {
  CATALOG_STATUS_DEFINITION,
  createCatalogStatusResource,
} from '../../src/package-server/catalog-status-resource.ts'
import { toCatalogStatus } from '../../src/package-server/to-catalog-status.ts'
import { catalogFacts } from '../fixtures/catalog-facts.ts'
import { bodyOf, getRequest, listRequest, watchRequest } from '../fixtures/offered-manifests.ts'
import type { ObjectList } from '../fixtures/reflector.ts'

/** The same schema, which takes no member that it does not name. */
function closed(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
      ? { ...value, additionalProperties: false }
      : value,
  ) as object
}

const NOW = Date.parse('2026-12-01T12:00:00Z')
const BROKEN = catalogFacts('olm/broken', {
  connection: { state: 'TRANSIENT_FAILURE', since: NOW - 60_000 },
  failure: { since: NOW - 60_000, reason: 'UNAVAILABLE: connection refused' },
})
const NEW = catalogFacts('team/new', { reading: undefined })
const SHORT = catalogFacts('olm/short', {
  reading: {
    readAt: NOW - 600_000,
    packages: 3,
    channels: 4,
    bytes: 10,
    leftOut: [
      { package: 'p', channel: 'alpha', reason: 'the CSV does not decode: spec.version: "x" is no version' },
      { package: 'q', channel: undefined, reason: 'no channel is left' },
    ],
  },
})

t.test('one object per catalog, in its own namespace alone', async (t) => {
  const resource = createCatalogStatusResource({ now: () => NOW })
  for (const facts of [BROKEN, NEW, SHORT]) resource.set(facts)
  const names = async (namespace?: string) => {
    const { items } = await bodyOf<ObjectList>(await resource.list(listRequest({ namespace })))
    return items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
  }
  t.same(await names(), ['olm/broken', 'olm/short', 'team/new'])
  t.same(await names('olm'), ['olm/broken', 'olm/short'])
  t.same(await names('elsewhere'), [])
  await t.rejects(resource.get(getRequest('team', 'broken')), { message: /"broken" not found/ })
  const request = getRequest('olm', 'short', { query: new URLSearchParams('catalog=other') })
  t.match(await bodyOf(await resource.get(request)), {
    kind: 'CatalogStatus',
    metadata: { name: 'short', namespace: 'olm' },
    status: {
      omitted: 2,
      omissions: [
        { package: 'p', channel: 'alpha' },
        { package: 'q', reason: 'no channel is left' },
      ],
      conditions: [
        { type: 'Fresh', status: 'True' },
        { type: 'Complete', status: 'False' },
      ],
    },
  })
  resource.close()
})

t.test('its table says what is wrong', async (t) => {
  const resource = createCatalogStatusResource({ now: () => NOW })
  for (const facts of [BROKEN, NEW, SHORT]) resource.set(facts)
  const form = { as: 'table', version: 'v1', includeObject: 'None' } as const
  const table = await bodyOf<{ columnDefinitions: { name: string; priority: number }[]; rows: { cells: string[] }[] }>(
    await resource.list(listRequest({ form })),
  )
  const plain = table.columnDefinitions.filter(({ priority }) => priority === 0).map(({ name }) => name)
  t.same(plain, ['Name', 'Connection', 'Packages', 'Omitted', 'Read', 'Problem', 'Age'])
  t.same(
    table.rows.map(({ cells }) => cells.slice(0, 7)),
    [
      ['broken', 'TRANSIENT_FAILURE', '12', '0', '60m', 'UNAVAILABLE: connection refused', '26h'],
      ['short', 'READY', '3', '2', '10m', '', '26h'],
      ['new', 'READY', '0', '0', 'never', '', '26h'],
    ],
  )
  t.equal(table.columnDefinitions.length, table.rows[0]?.cells.length)
  resource.close()
})

t.test('it is watched like any other', async (t) => {
  const resource = createCatalogStatusResource({ now: () => NOW })
  const cursor = await resource.watch(watchRequest({ namespace: 'olm' }))
  const read = () =>
    cursor.read(1e9).frames.map((frame) => {
      const { type, object } = JSON.parse(Buffer.from(frame).toString()) as { type: string; object: CatalogStatus }
      return `${type} ${object.metadata.name} ${object.status.conditions[0]?.status}`
    })
  resource.set(catalogFacts('olm/broken'))
  resource.set(catalogFacts('olm/broken'))
  t.same(read(), ['ADDED broken True'], 'the same again is no event')
  resource.set(BROKEN)
  resource.set(NEW)
  t.same(read(), ['MODIFIED broken False'])
  resource.remove('olm/broken')
  t.same(read(), ['DELETED broken False'])
  resource.close()
})

t.test('objects are as their schema says', async (t) => {
  const formats = { 'date-time': true, int32: true, int64: true } as const
  const check = new Ajv({ formats }).compile(closed(CATALOG_STATUS_SCHEMA))
  for (const facts of [BROKEN, NEW, SHORT, catalogFacts('olm/fine')]) {
    check(JSON.parse(JSON.stringify(toCatalogStatus(facts))))
    t.same(check.errors, null)
  }
  t.equal(CATALOG_STATUS_DEFINITION.schema, CATALOG_STATUS_SCHEMA)
})

t.test('a catalog of which nothing can be shown has a bounded object', async (t) => {
  const leftOut = Array.from({ length: 5000 }, (_, index) => ({
    package: `p${index}`,
    channel: 'c',
    reason: 'x'.repeat(5000),
  }))
  const facts = catalogFacts('olm/c', { reading: { readAt: NOW, packages: 0, channels: 0, bytes: 0, leftOut } })
  const object = toCatalogStatus(facts)
  t.equal(object.status.omitted, 5000)
  t.ok(JSON.stringify(object).length < 150_000)
})
