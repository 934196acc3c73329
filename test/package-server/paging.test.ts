// Pages joined are one list of one moment, whatever happens in between; tokens that cannot be honoured say so.
import fc from 'fast-check'
import t from 'tap'
import type { Form, ListRequest } from '../../src/http/resource.ts'
import { StatusError } from '../../src/http/status.ts'
import {
  createPackageManifestResource,
  type PackageManifestResource,
} from '../../src/package-server/package-manifest-resource.ts'
import { applyChange, change, GLOBAL_NAMESPACE, NAMESPACES } from '../fixtures/catalog-changes.ts'
import { bodyOf, catalogSource, listRequest, offer, selecting } from '../fixtures/offered-manifests.ts'
import type { ObjectList } from '../fixtures/reflector.ts'

const create = (now: () => number = Date.now) =>
  createPackageManifestResource({ globalNamespace: GLOBAL_NAMESPACE, now })

async function page(resource: PackageManifestResource, more: Partial<ListRequest>): Promise<ObjectList> {
  return bodyOf<ObjectList>(await resource.list(listRequest(more)))
}

async function statusOf(promise: Promise<unknown>) {
  try {
    await promise
  } catch (error) {
    if (error instanceof StatusError) return error.status
    throw error
  }
  throw new Error('no Status was thrown')
}

t.test('for every limit the pages joined are the list, also while catalogs change', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 6 }),
      fc.array(change, { maxLength: 12 }),
      fc.constantFrom(...NAMESPACES),
      fc.constantFrom('', 'tier=gold'),
      async (first, during, namespace, selector) => {
        const resource = create()
        for (const each of first) await applyChange(resource, each)
        const scope = { namespace, ...selecting(selector) }
        let upcoming = [...during]
        const size = (await page(resource, scope)).items.length
        for (let limit = 1; limit <= size + 1; limit++) {
          const whole = await page(resource, scope)
          const joined: unknown[] = []
          let token = ''
          do {
            const part = await page(resource, { ...scope, limit, continue: token })
            joined.push(...part.items)
            token = part.metadata.continue ?? ''
            if (part.metadata.resourceVersion !== whole.metadata.resourceVersion) throw new Error('another moment')
            const remaining = whole.items.length - joined.length
            const told = part.metadata.remainingItemCount
            if (told !== (remaining > 0 && selector === '' ? remaining : undefined)) throw new Error(`${told} remain`)
            if ((token === '') !== (remaining === 0)) throw new Error('a token too many or too few')
            const [next, ...rest] = upcoming
            upcoming = rest
            if (next !== undefined) await applyChange(resource, next)
          } while (token !== '')
          if (JSON.stringify(joined) !== JSON.stringify(whole.items)) throw new Error(`limit ${limit}`)
        }
        resource.close()
      },
    ),
    { numRuns: 150 },
  )
  t.pass('held')
})

t.test('pages of tables and of metadata', async (t) => {
  const resource = create()
  const source = catalogSource('olm/a')
  await resource.replace(
    source,
    ['a', 'b', 'c'].map((name) => offer(source, name)),
  )
  const forms: readonly Form[] = [
    { as: 'metadata', version: 'v1' },
    { as: 'table', version: 'v1', includeObject: 'Metadata' },
  ]
  for (const form of forms) {
    const first = await bodyOf<ObjectList & { rows?: unknown[] }>(await resource.list(listRequest({ form, limit: 2 })))
    t.equal((first.rows ?? first.items).length, 2)
    t.equal(first.metadata.remainingItemCount, 1)
    const rest = await bodyOf<ObjectList & { rows?: unknown[] }>(
      await resource.list(listRequest({ form, limit: 2, continue: first.metadata.continue ?? '' })),
    )
    t.equal((rest.rows ?? rest.items).length, 1)
    t.notOk(rest.metadata.continue)
  }
  resource.close()
})

t.test('a token whose state is forgotten is 410, with one that goes on from the present', async (t) => {
  let now = Date.UTC(2026, 5, 1)
  const resource = create(() => now)
  const source = catalogSource('olm/a')
  await resource.replace(
    source,
    ['a', 'b', 'c', 'd'].map((name) => offer(source, name)),
  )
  const first = await page(resource, { limit: 2 })
  const token = first.metadata.continue ?? ''
  await resource.replace(
    source,
    ['a', 'bb', 'c', 'e'].map((name) => offer(source, name, 2)),
  )
  now += 6 * 60_000
  const status = await statusOf(page(resource, { limit: 2, continue: token }))
  t.match(status, { code: 410, reason: 'Expired' })
  t.ok(status.metadata.continue)
  const rest = await page(resource, { continue: status.metadata.continue ?? '' })
  t.same(
    rest.items.map(({ metadata }) => metadata.name),
    ['bb', 'c', 'e'],
  )
  t.equal(rest.metadata.resourceVersion, String(resource.stored.store.state().version))
  resource.close()
})

t.test('a token of an equal replica is honoured, of a different one is 410', async (t) => {
  const replicas = [create(), create(), create()] as const
  const [one, equal, different] = replicas
  const source = catalogSource('olm/a')
  for (const replica of replicas)
    await replica.replace(
      source,
      ['a', 'b', 'c'].map((name) => offer(source, name)),
    )
  await different.replace(
    source,
    ['a', 'b'].map((name) => offer(source, name)),
  )
  const first = await page(one, { limit: 2 })
  const rest = await page(equal, { limit: 2, continue: first.metadata.continue ?? '' })
  t.same(
    rest.items.map(({ metadata }) => metadata.name),
    ['c'],
  )
  t.equal(rest.metadata.resourceVersion, first.metadata.resourceVersion, 'all pages bear one number')
  await equal.replace(source, [offer(source, 'z')])
  const late = await page(equal, { limit: 2, continue: first.metadata.continue ?? '' })
  t.same(late.items, rest.items, 'and goes on being, once it was')
  t.match(await statusOf(page(different, { limit: 2, continue: `${first.metadata.continue}` })), { code: 410 })
  for (const replica of replicas) replica.close()
})

t.test('junk is 400 and names the parameter', async (t) => {
  const resource = create()
  for (const token of ['junk', '%', 'a'.repeat(9000), Buffer.from('[1,2]').toString('base64url')]) {
    const status = await statusOf(page(resource, { continue: token }))
    t.match(status, { code: 400, reason: 'BadRequest', message: /^continue: / })
  }
  resource.close()
})

t.test('many lists being paged cost a bounded number of states', async (t) => {
  const resource = create()
  const source = catalogSource('olm/a')
  const tokens: string[] = []
  for (let revision = 1; revision <= 40; revision++) {
    await resource.replace(
      source,
      ['a', 'b'].map((name) => offer(source, name, revision)),
    )
    tokens.push((await page(resource, { limit: 1 })).metadata.continue ?? '')
  }
  t.match(await statusOf(page(resource, { continue: tokens[0] ?? '' })), { code: 410 })
  t.equal((await page(resource, { continue: tokens.at(-2) ?? '' })).items.length, 1)
  resource.close()
})
