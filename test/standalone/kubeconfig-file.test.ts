import t from 'tap'
import { kubeconfigText, shellWord } from '../../src/standalone/kubeconfig-file.ts'

t.test('everything within one file', async (t) => {
  const client = { certificate: 'cert', key: 'key' }
  t.matchSnapshot(kubeconfigText({ server: 'https://127.0.0.1:5443', authority: 'ca', client }))
})

t.test('paths as a shell takes them', async (t) => {
  t.equal(shellWord('/srv/jane/.olm/kubeconfig'), '/srv/jane/.olm/kubeconfig')
  t.equal(shellWord('/srv/jane doe/kubeconfig'), "'/srv/jane doe/kubeconfig'")
  t.equal(shellWord("/o'neill/k"), "'/o'\\''neill/k'")
  t.equal(shellWord(''), "''")
})
