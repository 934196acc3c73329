// The real kubectl against the real process of `npm start`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { eventually } from '../fixtures/eventually.ts'
import { kubectl, kubectlMissing } from '../fixtures/kubectl.ts'
import { SVG, samplePackage } from '../fixtures/sample-catalogs.ts'
import { startStandalone } from '../fixtures/standalone-process.ts'

const API = '/apis/packages.operators.coreos.com/v1'

t.test('kubectl', { skip: kubectlMissing() }, async (t) => {
  const folder = t.testdir({
    home: {},
    catalogs: {
      first: {
        'alpha.json': samplePackage({
          name: 'alpha',
          icon: { base64data: Buffer.from(SVG).toString('base64'), mediatype: 'image/svg+xml' },
        }),
        'beta.json': samplePackage({ name: 'beta', version: '2.1.0', labels: { team: 'blue' } }),
      },
      second: { 'alpha.json': samplePackage({ name: 'alpha', version: '9.9.9' }) },
    },
  })
  const server = await startStandalone(join(folder, 'data'), '--catalogs', join(folder, 'catalogs'))
  t.teardown(() => server.stop())
  const run = (...args: readonly string[]) => kubectl(server.kubeconfig, join(folder, 'home'), ...args)
  const lines = async (...args: readonly string[]) => (await run(...args)).stdout.trimEnd().split('\n')
  await eventually(
    'all catalogs listed',
    async () => (await lines('get', 'packagemanifests', '-A', '-o', 'name')).length === 3,
  )

  t.test('get, in a namespace and in all', async (t) => {
    const all = await lines('get', 'packagemanifests', '-A')
    t.strictSame(all[0]?.split(/\s+/), ['NAMESPACE', 'NAME', 'CATALOG', 'AGE'])
    t.strictSame(
      all.slice(1).map((line) => line.split(/\s+/).slice(0, 3)),
      [
        ['olm', 'alpha', 'First'],
        ['olm', 'alpha', 'Second'],
        ['olm', 'beta', 'First'],
      ],
    )
    const elsewhere = await lines('get', 'packagemanifests', '-n', 'anywhere')
    t.strictSame(elsewhere[0]?.split(/\s+/), ['NAME', 'CATALOG', 'AGE'])
    t.equal(elsewhere.length, 4, 'global packages are seen from every namespace')
    const ageless = (rows: readonly string[]) => rows.map((row) => row.replace(/\s+\S+$/, ''))
    t.strictSame(ageless(await lines('get', 'packagemanifests', '-A', '-o', 'wide')), ageless(all))
  })

  t.test('get NAME: the winner, always the same', async (t) => {
    const [, row] = await lines('get', 'packagemanifest', 'alpha')
    t.match(row, /^alpha +First +/)
    const version = 'jsonpath={.status.channels[0].currentCSVDesc.version} {.metadata.namespace}'
    const answers = new Set(
      await Promise.all(
        Array.from({ length: 5 }, () =>
          run('get', 'packagemanifest', 'alpha', '-o', version).then(({ stdout }) => stdout),
        ),
      ),
    )
    t.strictSame([...answers], ['1.0.0 default'])
  })

  t.test('every output format (R068)', async (t) => {
    t.strictSame(
      await lines('get', 'packagemanifests', '-A', '-o', 'name'),
      Array(3)
        .fill('')
        .map((_, index) => `packagemanifest.packages.operators.coreos.com/${['alpha', 'alpha', 'beta'][index]}`),
    )
    const yaml = (await run('get', 'packagemanifest', 'beta', '-n', 'olm', '-o', 'yaml')).stdout
    t.match(yaml, /^apiVersion: packages\.operators\.coreos\.com\/v1\nkind: PackageManifest\nmetadata:\n/)
    t.match(yaml, /\n {2}defaultChannel: stable\n/)
    const json: unknown = JSON.parse((await run('get', 'packagemanifests', '-A', '-o', 'json')).stdout)
    t.match(json, { kind: 'List', items: { length: 3 } })
    t.equal(
      (
        await run(
          'get',
          'packagemanifests',
          '-A',
          '-o',
          'jsonpath={range .items[*]}{.metadata.name}={.status.catalogSource};{end}',
        )
      ).stdout,
      'alpha=first;alpha=second;beta=first;',
    )
    const columns = await lines(
      'get',
      'packagemanifests',
      '-A',
      '-o',
      'custom-columns=N:.metadata.name,V:.status.channels[*].currentCSVDesc.version',
    )
    t.strictSame(
      columns.map((line) => line.trim().split(/\s+/)),
      [
        ['N', 'V'],
        ['alpha', '1.0.0'],
        ['alpha', '9.9.9'],
        ['beta', '2.1.0'],
      ],
    )
  })

  t.test('selectors', async (t) => {
    const names = async (...args: readonly string[]) =>
      lines(
        'get',
        'packagemanifests',
        '-A',
        '--no-headers',
        '-o',
        'custom-columns=N:.metadata.name,C:.status.catalogSource',
        ...args,
      )
    t.strictSame(await names('-l', 'catalog=second'), ['alpha   second'])
    t.strictSame(await names('-l', 'catalog in (first,second),provider!=Nobody,team'), ['beta   first'])
    t.strictSame(await names('--field-selector', 'metadata.name=alpha', '-l', 'catalog=first'), ['alpha   first'])
    t.strictSame(await names('--field-selector', 'metadata.namespace!=olm'), [''])
    const bad = await run('get', 'packagemanifests', '-A', '-l', 'a=b=c')
    t.equal(bad.code, 1)
    t.match(bad.stderr, /^Error from server \(BadRequest\): /)
    t.match((await run('get', 'packagemanifests', '-A', '--field-selector', 'spec.x=1')).stderr, /spec\.x/)
  })

  t.test('describe', async (t) => {
    const { stdout } = await run('describe', 'packagemanifest', 'beta', '-n', 'olm')
    t.match(stdout, /^Name: +beta\nNamespace: +olm\nLabels: +catalog=first\n/)
    t.match(stdout, /\nKind: +PackageManifest\n/)
    t.match(stdout, /Description: +What beta does\./)
  })

  t.test('the icon, and a package without one', async (t) => {
    const icon = (name: string) => run('get', '--raw', `${API}/namespaces/olm/packagemanifests/${name}/icon`)
    t.equal((await icon('alpha')).stdout.trim(), SVG)
    t.match((await icon('beta')).stdout, /^\s*<svg /)
  })

  t.test('an unknown name', async (t) => {
    t.match(await run('get', 'packagemanifest', 'nope', '-n', 'olm'), {
      code: 1,
      stderr: 'Error from server (NotFound): packagemanifests.packages.operators.coreos.com "nope" not found\n',
    })
    t.match(await run('get', 'packagemanifest', 'nope', '--ignore-not-found'), { code: 0, stdout: '', stderr: '' })
  })

  t.test('discovery, explain, version', async (t) => {
    t.match(await lines('api-resources', '--api-group=packages.operators.coreos.com', '--no-headers'), [
      /^catalogstatuses /,
      /^packagemanifests /,
    ])
    t.match((await run('explain', 'packagemanifests.status.defaultChannel')).stdout, /FIELD: defaultChannel <string>/)
    t.match((await run('version')).stdout, /Server Version: v\d+\.\d+\.\d+/)
  })

  t.test('the catalogs themselves', async (t) => {
    const rows = await lines('get', 'catalogstatuses', '-A', '--no-headers')
    t.match(rows, [/^olm +first +READY +2 /, /^olm +second +READY +1 /])
  })

  t.test('the kubeconfig is for this server alone', async (t) => {
    t.match(readFileSync(server.kubeconfig, 'utf8'), /"server": "https:\/\/127\.0\.0\.1:\d+"/)
  })
})
