// The kubeconfig with which kubectl reaches the standalone server: everything within the one file, so that it can be
// copied. Pure: hands on text.
import type { KeyPair } from '../certificates/issue.ts'

export interface KubeconfigFacts {
  /** `https://host:port`. */
  readonly server: string
  /** PEM. */
  readonly authority: string
  readonly client: KeyPair
}

const NAME = 'olm'

/** YAML (in its JSON-compatible form, which every reader of YAML reads), ends with a line feed. */
export function kubeconfigText({ server, authority, client }: KubeconfigFacts): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: NAME, cluster: { server, 'certificate-authority-data': base64(authority) } }],
    users: [
      {
        name: NAME,
        user: { 'client-certificate-data': base64(client.certificate), 'client-key-data': base64(client.key) },
      },
    ],
    contexts: [{ name: NAME, context: { cluster: NAME, user: NAME } }],
    'current-context': NAME,
  }
  return `${JSON.stringify(config, undefined, 2)}\n`
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** A path as a POSIX shell takes it, quoted only where it must be. */
export function shellWord(path: string): string {
  return /^[\w./:@%+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
