// Run by hand (`node test/security/many-connections.ts [connections]`), not part of npm test: ten thousand strangers' TLS connections
// against one server, each in a process of its own; meanwhile the front proxy asks, and is answered. Prints what it saw.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from 'node:tls'
import { issueClusterAuthorities, issueServer, issueUser, trustConfigMap } from '../fixtures/cluster-trust.ts'
import { startKubeApi } from '../fixtures/kube-api.ts'
import { runProgram, waitFor } from '../fixtures/standalone-process.ts'

const CLIENTS = 4
const LIST = '/apis/packages.operators.coreos.com/v1/packagemanifests'

if (process.argv[2] === 'client') await beClient(Number(process.argv[3]), Number(process.argv[4]))
else await main(Number(process.argv[2] ?? 10_000))

/** Opens so many connections and holds them, idle, until it is told to end. */
async function beClient(port: number, count: number): Promise<void> {
  let open = 0
  let lost = 0
  for (let index = 0; index < count; index += 1) {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
    socket.on('error', () => undefined)
    socket.resume()
    socket.on('secureConnect', () => {
      open += 1
    })
    socket.on('close', () => {
      lost += 1
    })
    if (index % 50 === 49) await Promise.race([once(socket, 'secureConnect'), once(socket, 'close')])
  }
  await wait(500)
  process.send?.({ open, lost })
  await once(process, 'message')
  process.send?.({ open, lost })
  process.exit()
}

async function main(total: number): Promise<void> {
  const api = await startKubeApi()
  const authorities = await issueClusterAuthorities()
  api.put(trustConfigMap({ clientCa: authorities.client.certificate, proxyCa: authorities.proxy.certificate }))
  const serving = await issueServer(authorities.serving, ['127.0.0.1'])
  const frontProxy = await issueUser(authorities.proxy, 'front-proxy-client')
  const folder = mkdtempSync(join(tmpdir(), 'many-connections-'))
  const files = { kubeconfig: api.kubeconfig(), 'tls.crt': serving.certificate, 'tls.key': serving.key }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const server = runProgram('package-server/main.ts', [
    ...['--kubeconfig', join(folder, 'kubeconfig'), '--secure-port=0', '--bind-address=127.0.0.1', '--log-format=json'],
    ...[`--tls-cert-file=${join(folder, 'tls.crt')}`, `--tls-private-key-file=${join(folder, 'tls.key')}`],
  ])
  const found = await waitFor(server, () => /"port":(\d+)[^\n]*"msg":"serving"/.exec(server.stderr()))
  const port = Number(found[1])
  const resident = () =>
    Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) / 1024)
  const ask = () =>
    timed(port, { cert: frontProxy.certificate, key: frontProxy.key, ca: authorities.serving.certificate })
  const report = async (when: string) => {
    const answers = []
    for (let round = 0; round < 20; round += 1) answers.push(await ask())
    const good = answers.filter(({ status }) => status === 200).length
    const slowest = Math.max(...answers.map(({ ms }) => ms))
    process.stdout.write(
      `${when}: ${resident()} MB resident, front proxy ${good}/20 answered, slowest ${Math.round(slowest)} ms\n`,
    )
  }
  await report('before')
  const clients: ChildProcess[] = []
  const started = performance.now()
  for (let index = 0; index < CLIENTS; index += 1)
    clients.push(fork(import.meta.filename, ['client', String(port), String(Math.ceil(total / CLIENTS))]))
  const opened = Promise.all(clients.map((client) => once(client, 'message')))
  await wait(1000)
  await report('while they come')
  const counts = (await opened).map(([message]) => message as { open: number; lost: number })
  const sum = (of: 'open' | 'lost') => counts.reduce((total, one) => total + one[of], 0)
  process.stdout.write(
    `${sum('open')} handshakes in ${Math.round((performance.now() - started) / 100) / 10} s, ${sum('lost')} closed by the server: they gave way, or their time was up\n`,
  )
  await report('with them')
  for (const client of clients) client.send('end')
  await Promise.all(clients.map((client) => once(client, 'exit')))
  await wait(1000)
  await report('after')
  server.child.kill('SIGKILL')
  await server.ended
  await api.close()
  rmSync(folder, { recursive: true })
}

function timed(port: number, tls: object): Promise<{ status: number; ms: number }> {
  const started = performance.now()
  return new Promise((resolve) => {
    const headers = { 'X-Remote-User': 'admin', 'X-Remote-Group': 'system:masters' }
    const asked = request({ host: '127.0.0.1', port, path: LIST, agent: false, ...tls, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - started }))
    })
    asked.on('error', () => resolve({ status: 0, ms: performance.now() - started }))
    asked.end()
  })
}
