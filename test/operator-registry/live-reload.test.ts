// A folder that is followed: whatever way it changes, what is served follows, and no connection is lost.
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { loadCatalog } from '../../src/file-based-catalog/load-catalog.ts'
import type { LoadOutcome } from '../../src/operator-registry/load-outcome.ts'
import { type OperatorRegistryOptions, startOperatorRegistry } from '../../src/operator-registry/operator-registry.ts'
import { catalogText } from '../fixtures/catalog-text.ts'
import { eventually } from '../fixtures/eventually.ts'
import { rawRegistry } from '../fixtures/raw-registry.ts'

async function followed(t: Test, directory: string, options: Partial<OperatorRegistryOptions> = {}) {
  const outcomes: LoadOutcome[] = []
  const lines: { readonly level: number; readonly msg: string }[] = []
  const registry = await startOperatorRegistry({
    directory,
    address: '127.0.0.1:0',
    load: loadCatalog,
    log: pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }),
    watch: true,
    onOutcome: (outcome) => outcomes.push(outcome),
    ...options,
  })
  const client = rawRegistry(registry.address)
  let states = 0
  let done = false
  const watchState = (): void => {
    const channel = client.client.getChannel()
    channel.watchConnectivityState(channel.getConnectivityState(false), Number.POSITIVE_INFINITY, () => {
      if (done) return
      states += 1
      watchState()
    })
  }
  t.teardown(async () => {
    done = true
    client.close()
    await registry.close(0)
  })
  const names = async (): Promise<string> => (await client.list('ListPackages')).map(({ name }) => name).join(' ')
  const becomes = async (wanted: string): Promise<void> => {
    await eventually(wanted, async () => (await names().catch(() => undefined)) === wanted, 5000)
    t.equal(await names(), wanted)
  }
  await registry.first
  await names().catch(() => '')
  watchState()
  return { registry, client, outcomes, lines, names, becomes, states: () => states }
}

t.test('files added, changed and removed, over one connection', async (t) => {
  const directory = t.testdir({ 'a.json': catalogText('alpha') })
  const { client, becomes, states } = await followed(t, directory)
  await becomes('alpha')
  await mkdir(join(directory, 'beta'))
  await writeFile(join(directory, 'beta', 'catalog.json'), catalogText('beta'))
  await becomes('alpha beta')
  await writeFile(join(directory, 'a.json'), catalogText('alpha', { versions: ['1.0.0', '2.0.0'] }))
  await eventually('the new head', async () => {
    const { csvName } = await client.ask('GetBundleForChannel', { pkgName: 'alpha', channelName: 'stable' })
    return csvName === 'alpha.v2.0.0'
  })
  await rm(join(directory, 'beta'), { recursive: true })
  await becomes('alpha')
  t.equal(states(), 0, 'the connection stayed as it was')
})

t.test('a content with faults leaves the old one served, and is told once', async (t) => {
  const directory = t.testdir({ 'a.json': catalogText('alpha') })
  const { outcomes, lines, becomes, names, client } = await followed(t, directory)
  await writeFile(join(directory, 'b.json'), '{"schema": "olm.package", "name": ')
  await eventually('a refusal', () => outcomes.at(-1)?.kind === 'refused')
  t.match(outcomes.at(-1), {
    kind: 'refused',
    kept: true,
    error: { code: 'CATALOG_REFUSED' },
    faults: [{ file: 'b.json' }],
  })
  t.equal(await names(), 'alpha')
  t.match(await client.ask('Check'), { status: 'SERVING' })
  await writeFile(join(directory, 'c.txt.ignored'), '')
  const refusals = outcomes.length
  await eventually('another refusal', () => outcomes.length > refusals)
  await rm(join(directory, 'c.txt.ignored'))
  t.equal(lines.filter(({ level, msg }) => level === 50 && /old is still served/.test(msg)).length, 1)
  await writeFile(join(directory, 'b.json'), catalogText('beta'))
  await becomes('alpha beta')
})

t.test('a first content that is refused is served once it is mended', async (t) => {
  const directory = t.testdir({ 'a.json': '{' })
  const { registry, client, becomes } = await followed(t, directory)
  t.match(await registry.first, { kind: 'refused', kept: false })
  t.match(await client.ask('Check'), { status: 'NOT_SERVING' })
  await t.rejects(client.list('ListPackages'), { code: 14 })
  await writeFile(join(directory, 'a.json'), catalogText('alpha'))
  await becomes('alpha')
})

t.test("kubelet's way: ..data is swapped under links that stay", async (t) => {
  const directory = t.testdir({ '..1': { 'a.json': catalogText('alpha') }, '..2': { 'a.json': catalogText('beta') } })
  await symlink('..1', join(directory, '..data'))
  await symlink('..data/a.json', join(directory, 'a.json'))
  const { becomes } = await followed(t, directory)
  await becomes('alpha')
  await symlink('..2', join(directory, '..data_tmp'))
  await rename(join(directory, '..data_tmp'), join(directory, '..data'))
  await rm(join(directory, '..1'), { recursive: true })
  await becomes('beta')
})

t.test("git-sync's way: the folder is itself a link, to another worktree each time", async (t) => {
  const folder = t.testdir({
    worktrees: { one: { 'a.json': catalogText('alpha') }, two: { 'a.json': catalogText('beta') } },
  })
  await symlink('worktrees/one', join(folder, 'current'))
  const { becomes } = await followed(t, join(folder, 'current'))
  await becomes('alpha')
  await symlink('worktrees/two', join(folder, 'next'))
  await rename(join(folder, 'next'), join(folder, 'current'))
  await rm(join(folder, 'worktrees', 'one'), { recursive: true })
  await becomes('beta')
})

t.test('a folder that comes and goes: what was served stays', async (t) => {
  const folder = t.testdir({ catalog: { 'a.json': catalogText('alpha') } })
  const directory = join(folder, 'catalog')
  const { outcomes, becomes, names } = await followed(t, directory)
  await becomes('alpha')
  await rename(directory, join(folder, 'away'))
  await eventually('a refusal', () => outcomes.at(-1)?.kind === 'refused')
  t.equal(await names(), 'alpha')
  await writeFile(join(folder, 'away', 'b.json'), catalogText('beta'))
  await rename(join(folder, 'away'), directory)
  await becomes('alpha beta')
})

t.test('with a cache: each content has its file, the one before loses it', async (t) => {
  const folder = t.testdir({ catalog: { 'a.json': catalogText('alpha') }, cache: {} })
  const directory = join(folder, 'catalog')
  const cache = { directory: join(folder, 'cache'), integrity: 'off', mustWrite: false } as const
  const { becomes, client, outcomes } = await followed(t, directory, { cache })
  await writeFile(join(directory, 'b.json'), catalogText('beta'))
  await becomes('alpha beta')
  t.match(await client.ask('GetBundleForChannel', { pkgName: 'beta', channelName: 'stable' }), {
    csvName: 'beta.v1.0.0',
  })
  await rm(join(directory, 'b.json'))
  await becomes('alpha')
  t.match(outcomes, [{ kind: 'served' }, { kind: 'served' }, { kind: 'served' }])
})
