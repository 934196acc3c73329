// A bundle of authorities as the http room asks it about client certificates: PEM in, verdicts out. Throws where the
// bundle does not decode.
import { parseCertificates, verifyChain } from '../certificates/certificate-chain.ts'
import type { Authorities } from '../http/client-certificate.ts'

export function clientAuthorities(bundle: string): Authorities {
  const roots = parseCertificates(bundle)
  if (roots.length === 0) throw new Error('there is no certificate (PEM) in it')
  return {
    fault(chain, now) {
      const verdict = verifyChain({ chain, roots, usage: 'client', now })
      return verdict.trusted ? undefined : verdict.reason
    },
  }
}
