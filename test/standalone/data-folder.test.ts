import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { OlmError } from '../../src/errors.ts'
import { openIdentity, writeKubeconfig } from '../../src/standalone/data-folder.ts'
import { rsaAuthority } from '../fixtures/rsa-authority.ts'

const NOW = Date.parse('2026-03-01T00:00:00Z')
const YEAR = 365 * 86_400_000
const NEEDS = { hosts: ['127.0.0.1', 'localhost'], now: NOW }

function mode(file: string): string {
  return (statSync(file).mode & 0o777).toString(8)
}

t.test('first start, second start', async (t) => {
  const folder = join(t.testdir({}), 'data')
  const first = await openIdentity(folder, NEEDS)
  t.strictSame(first.renewed, [], 'nothing to say on a first start')
  t.strictSame(readdirSync(folder).sort(), [
    'ca.crt',
    'ca.key',
    'client.crt',
    'client.key',
    'serving.crt',
    'serving.key',
  ])
  t.equal(mode(folder), '700')
  for (const name of ['ca', 'client', 'serving']) t.equal(mode(join(folder, `${name}.key`)), '600', name)
  chmodSync(join(folder, 'ca.key'), 0o644)
  const second = await openIdentity(folder, NEEDS)
  t.strictSame(second, first, 'the same certificates')
  t.equal(mode(join(folder, 'ca.key')), '600', 'a key that others could read is closed')
})

t.test('what is made anew, and the line about it', async (t) => {
  const cases: readonly (readonly [
    string,
    (folder: string, other: string) => void | Promise<void>,
    Partial<typeof NEEDS>,
    readonly string[],
  ])[] = [
    [
      'expired leaves',
      () => {},
      { now: NOW + YEAR + 1 },
      [
        'serving.crt made anew: expired at 2027-03-01T00:00:00.000Z',
        'client.crt made anew: expired at 2027-03-01T00:00:00.000Z',
      ],
    ],
    [
      'expired authority',
      () => {},
      { now: NOW + 10 * YEAR + 1 },
      [
        'ca.crt made anew: expired at 2036-02-27T00:00:00.000Z',
        'serving.crt made anew: its authority is made anew',
        'client.crt made anew: its authority is made anew',
      ],
    ],
    [
      'a foreign client',
      (folder, other) => {
        for (const end of ['crt', 'key']) {
          writeFileSync(join(folder, `client.${end}`), readFileSync(join(other, `client.${end}`)))
        }
      },
      {},
      ['client.crt made anew: signed by an unknown authority'],
    ],
    [
      'a foreign key',
      (folder, other) => writeFileSync(join(folder, 'serving.key'), readFileSync(join(other, 'serving.key'))),
      {},
      ['serving.crt made anew: its key does not belong to it'],
    ],
    [
      'junk',
      (folder) => writeFileSync(join(folder, 'client.crt'), 'junk'),
      {},
      ['client.crt made anew: not a certificate'],
    ],
    ['another address', () => {}, { hosts: ['192.0.2.1'] }, ['serving.crt made anew: not made for 192.0.2.1']],
    [
      'an authority that is none',
      (folder) => {
        for (const end of ['crt', 'key'])
          writeFileSync(join(folder, `ca.${end}`), readFileSync(join(folder, `client.${end}`)))
      },
      {},
      [
        'ca.crt made anew: not an authority',
        'serving.crt made anew: its authority is made anew',
        'client.crt made anew: its authority is made anew',
      ],
    ],
    [
      'a foreign authority with a key that we cannot sign with',
      async (folder) => {
        const { certificate, key } = await rsaAuthority({ now: NOW, lifetime: YEAR })
        writeFileSync(join(folder, 'ca.crt'), certificate)
        writeFileSync(join(folder, 'ca.key'), key)
      },
      {},
      [
        'ca.crt made anew: its key is not one that we can sign with',
        'serving.crt made anew: its authority is made anew',
        'client.crt made anew: its authority is made anew',
      ],
    ],
  ]
  for (const [name, spoil, needs, lines] of cases) {
    const base = t.testdir({})
    const folder = join(base, 'mine')
    await openIdentity(folder, NEEDS)
    await openIdentity(join(base, 'other'), NEEDS)
    await spoil(folder, join(base, 'other'))
    const opened = await openIdentity(folder, { ...NEEDS, ...needs })
    t.strictSame(
      opened.renewed,
      lines.map((line) => join(folder, line)),
      name,
    )
    const again = await openIdentity(folder, { ...NEEDS, ...needs })
    t.strictSame(again, { identity: opened.identity, renewed: [] }, `${name}: good afterwards`)
  }
})

t.test('a folder that cannot be used', async (t) => {
  const base = t.testdir({ file: 'text' })
  for (const folder of [join(base, 'file'), join(base, 'file/inside')]) {
    const refused = await openIdentity(folder, NEEDS).catch((thrown: unknown) => thrown)
    t.ok(refused instanceof OlmError && refused.code === 'FILE_UNREADABLE')
    t.match((refused as Error).message, new RegExp(`^${folder}: .*: choose another folder with --data-dir$`))
  }
})

t.test('the kubeconfig', async (t) => {
  const folder = t.testdir({})
  const file = await writeKubeconfig(folder, 'one\n')
  t.equal(mode(file), '600')
  const before = statSync(file).mtimeMs
  await writeKubeconfig(folder, 'one\n')
  t.equal(statSync(file).mtimeMs, before, 'not written again')
  await writeKubeconfig(folder, 'two\n')
  t.equal(readFileSync(file, 'utf8'), 'two\n')
  t.strictSame(readdirSync(folder), ['kubeconfig'])
})
