// The limit of a reading: a process with a bare grpc-js client that makes the package-server's calls, as many at a time, and
// drops the bytes it gets. It looks into no more of them than it needs to know whom to ask next.
import process from 'node:process'
import { credentials } from '@grpc/grpc-js'
import { loadProtocol } from '../src/registry/protocol.ts'

const AT_ONCE = 8
const { registry, clients } = loadProtocol()

interface Client {
  makeUnaryRequest(...args: readonly unknown[]): void
  makeServerStreamRequest(...args: readonly unknown[]): AsyncIterable<unknown>
}

interface Plan {
  readonly client: Client
  /** Of the first reading: what the package-server asks for each. */
  heads: Map<string, readonly string[]> | undefined
}

const plans: Plan[] = process.argv.slice(2).map((address) => ({
  client: new clients.registry(address, credentials.createInsecure(), {
    'grpc.max_receive_message_length': -1,
  }) as unknown as Client,
  heads: undefined,
}))

function methodOf(name: string) {
  const method = registry[name]
  if (method === undefined) throw new Error(`the protocol has no ${name}`)
  return method
}

const drop = (bytes: Buffer): Buffer => bytes

async function stream({ client }: Plan, name: string): Promise<number> {
  const method = methodOf(name)
  let count = 0
  for await (const _ of client.makeServerStreamRequest(method.path, method.requestSerialize, drop, {})) count++
  return count
}

function unary<T>({ client }: Plan, name: string, request: object, decode: (bytes: Buffer) => T): Promise<T> {
  const method = methodOf(name)
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(method.path, method.requestSerialize, decode, request, (error: unknown, answer: T) =>
      error === null ? resolve(answer) : reject(error),
    )
  })
}

interface PackageAnswer {
  readonly channels: readonly { readonly name: string; readonly csvName: string }[]
}

/** One channel for each distinct head, as the package-server asks. */
async function plan(one: Plan): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  const names: string[] = []
  const listed = methodOf('ListPackages')
  const decodeName = (bytes: Buffer) => (listed.responseDeserialize(bytes) as unknown as { name: string }).name
  for await (const name of one.client.makeServerStreamRequest(listed.path, listed.requestSerialize, decodeName, {})) {
    names.push(String(name))
  }
  const asked = methodOf('GetPackage')
  for (const name of names) {
    const answer = await unary(
      one,
      'GetPackage',
      { name },
      (bytes) => asked.responseDeserialize(bytes) as unknown as PackageAnswer,
    )
    const channels = new Map(answer.channels.toReversed().map((channel) => [channel.csvName, channel.name]))
    found.set(name, [...channels.values()])
  }
  return found
}

async function read(one: Plan): Promise<void> {
  one.heads ??= await plan(one)
  await stream(one, 'ListBundles')
  await stream(one, 'ListPackages')
  const waiting = one.heads.entries()
  const work = async () => {
    for (const [pkgName, channels] of waiting) {
      await unary(one, 'GetPackage', { name: pkgName }, drop)
      for (const channelName of channels) await unary(one, 'GetBundleForChannel', { pkgName, channelName }, drop)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

process.on('message', async (question: { readonly read?: true }) => {
  if (question.read !== true) return
  await Promise.all(plans.map(read))
  process.send?.({ done: true })
})
