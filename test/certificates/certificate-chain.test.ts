import { X509Certificate } from 'node:crypto'
import t from 'tap'
import { parseCertificates, verifyChain } from '../../src/certificates/certificate-chain.ts'
import { issueAuthority, issueClient } from '../../src/certificates/issue.ts'

const NOW = Date.parse('2026-03-01T00:00:00Z')
const HOUR = 3_600_000
const YEAR = { now: NOW, lifetime: 365 * 24 * HOUR }

function decoded({ certificate }: { readonly certificate: string }): X509Certificate {
  return new X509Certificate(certificate)
}

t.test('who is refused, and why', async (t) => {
  const authority = await issueAuthority('authority', YEAR)
  const namesake = await issueAuthority('authority', YEAR)
  const jane = decoded(await issueClient(authority, { user: 'jane', groups: [] }, { now: NOW, lifetime: HOUR }))
  const roots = [decoded(authority)]
  const ask = (question: Partial<Parameters<typeof verifyChain>[0]>) =>
    verifyChain({ chain: [jane], roots, usage: 'client', now: NOW, ...question })

  t.strictSame(ask({}), { trusted: true })
  t.strictSame(ask({ roots: [decoded(namesake), ...roots] }), { trusted: true }, 'old and new authority side by side')
  t.strictSame(ask({ chain: [] }), { trusted: false, reason: 'there is no certificate' })
  t.strictSame(ask({ roots: [] }), { trusted: false, reason: 'signed by an unknown authority' })
  t.strictSame(
    ask({ roots: [decoded(namesake)] }),
    { trusted: false, reason: 'signed by an unknown authority' },
    'the same name is not the same key',
  )
  t.strictSame(ask({ now: NOW + 2 * HOUR }), { trusted: false, reason: 'expired at 2026-03-01T01:00:00.000Z' })
  t.strictSame(ask({ now: NOW - HOUR }), { trusted: false, reason: 'is not valid before 2026-02-28T23:55:00.000Z' })

  const shortLived = await issueAuthority('short', { now: NOW, lifetime: HOUR })
  const outlives = decoded(await issueClient(shortLived, { user: 'jane', groups: [] }, YEAR))
  t.strictSame(ask({ chain: [outlives], roots: [decoded(shortLived)], now: NOW + 2 * HOUR }), {
    trusted: false,
    reason: 'its authority expired at 2026-03-01T01:00:00.000Z',
  })

  const leafAsAuthority = await issueClient(authority, { user: 'authority', groups: [] }, YEAR)
  const forged = decoded(await issueClient(leafAsAuthority, { user: 'admin', groups: ['system:masters'] }, YEAR))
  t.strictSame(
    ask({ chain: [forged, decoded(leafAsAuthority)] }),
    { trusted: false, reason: 'signed by an unknown authority' },
    'an end entity signs nobody',
  )
})

t.test('a bundle', async (t) => {
  const one = await issueAuthority('one', YEAR)
  const two = await issueAuthority('two', YEAR)
  const subjects = parseCertificates(`# comment\n${one.certificate}\ntext\n${two.certificate}`).map(
    ({ subject }) => subject,
  )
  t.strictSame(subjects, ['CN=one', 'CN=two'])
  t.strictSame(parseCertificates('nothing'), [])
  t.throws(() => parseCertificates('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'))
})
