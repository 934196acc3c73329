// nginx as a second limit, where it is installed: one worker, static files over TLS with client certificates. Hands on
// undefined where there is none. It has files: answers are 200, those below /gzip/ compressed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import type { ReadyAnswer } from './limits.ts'
import { type Credentials, secureClient } from './secure-client.ts'

export interface NginxLimit {
  readonly version: string
  readonly origin: string
  readonly pid: number
  serve(answers: readonly ReadyAnswer[]): Promise<void>
  stop(): Promise<void>
}

const POLL_MS = 20

export async function startNginx(serving: Credentials, folder: string): Promise<NginxLimit | undefined> {
  const asked = spawnSync('nginx', ['-v'], { encoding: 'utf8' })
  if (asked.status !== 0) return undefined
  const place = join(folder, 'nginx')
  await mkdir(join(place, 'files'), { recursive: true })
  for (const name of ['ca', 'cert', 'key'] as const) await writeFile(join(place, name), serving[name], { mode: 0o600 })
  const port = await freePort()
  await writeFile(join(place, 'nginx.conf'), configuration(place, port))
  const child = spawn('nginx', ['-p', place, '-c', join(place, 'nginx.conf'), '-e', join(place, 'error.log')], {
    stdio: 'ignore',
  })
  const origin = `https://127.0.0.1:${port}`
  await answering(child, origin, serving)
  return {
    version: asked.stderr.trim().replace('nginx version: ', ''),
    origin,
    pid: child.pid ?? 0,
    async serve(answers) {
      for (const { path, status, body } of answers) {
        if (status !== 200) continue
        const file = join(place, 'files', path)
        await mkdir(join(file, '..'), { recursive: true })
        await writeFile(file, body)
      }
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGQUIT')
      await ended
    },
  }
}

/** A port that was free a moment ago: nginx cannot be asked for any. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function answering(child: ChildProcess, origin: string, credentials: Credentials): Promise<void> {
  const client = secureClient(origin, credentials)
  while (child.exitCode === null) {
    if (
      await client.ask('/').then(
        () => true,
        () => false,
      )
    )
      break
    await pause(POLL_MS)
  }
  client.close()
}

function configuration(place: string, port: number): string {
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  return `daemon off;
${user}
worker_processes 1;
pid ${place}/pid;
events { worker_connections 4096; }
http {
  access_log off;
  sendfile on;
  keepalive_timeout 120s;
  keepalive_requests 1000000000;
  types {}
  default_type application/json;
  client_body_temp_path ${place}/t1;
  proxy_temp_path ${place}/t2;
  fastcgi_temp_path ${place}/t3;
  uwsgi_temp_path ${place}/t4;
  scgi_temp_path ${place}/t5;
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${place}/cert;
    ssl_certificate_key ${place}/key;
    ssl_protocols TLSv1.2 TLSv1.3;
    ssl_client_certificate ${place}/ca;
    ssl_verify_client on;
    open_file_cache max=100;
    location /gzip/ { alias ${place}/files/gzip/; add_header content-encoding gzip; }
    location /plain/ { alias ${place}/files/plain/; }
  }
}
`
}
