import { join } from 'node:path'
import t from 'tap'
import { openClusterClients } from '../../src/package-server/cluster-clients.ts'

const GOOD = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'one',
  contexts: [{ name: 'one', context: { cluster: 'one', user: 'one' } }],
  clusters: [{ name: 'one', cluster: { server: 'https://127.0.0.1:1' } }],
  users: [{ name: 'one', user: {} }],
})

t.test('a kubeconfig that cannot be read: the file, the reason, and the flag that names it', async (t) => {
  const base = t.testdir({ good: GOOD, junk: '{[' })
  const [good, gone, junk] = [join(base, 'good'), join(base, 'gone'), join(base, 'junk')]
  const flags = { kubeconfig: good, authenticationKubeconfig: '', authorizationKubeconfig: '' }
  const cases = [
    [{ kubeconfig: gone }, gone, 'ENOENT: no such file or directory', '--kubeconfig'],
    [{ authenticationKubeconfig: gone }, gone, 'ENOENT: no such file or directory', '--authentication-kubeconfig'],
    [{ authorizationKubeconfig: junk }, junk, '', '--authorization-kubeconfig'],
  ] as const
  for (const [wrong, file, reason, flag] of cases) {
    const thrown = await openClusterClients({ ...flags, ...wrong }, Date.now).catch((error: unknown) => error)
    const { message } = thrown as Error
    t.ok(message.startsWith(`${file}: ${reason}`) && message.endsWith(`: choose another file with ${flag}`), message)
  }
})
