// What is asked again and again: lists in every form, single objects, icons, conditional reads, discovery. Each against the
// same bytes ready in one buffer.
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { contest, type Field, type Question } from './contest.ts'
import type { ReadyAnswer } from './limits.ts'
import { PACKAGES } from './measured-server.ts'
import type { Row } from './result.ts'
import { type Answer, type SecureClient, secureClient } from './secure-client.ts'

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
const GZIP = { 'accept-encoding': 'gzip', accept: 'application/json' }
const PLAIN = { accept: 'application/json' }
const NAMESPACES = 1000
const GROUP = '/apis/packages.operators.coreos.com/v1'
/** After two questions a whole answer is compressed in the background. */
const SETTLE_MS = 2000

/** `only`: rows whose names hold this text. */
export async function requestRows(group: string, field: Field, only = ''): Promise<readonly Row[]> {
  const client = secureClient(field.ours.origin, field.ours.credentials)
  const peer = field.peer === undefined ? undefined : secureClient(field.peer.origin, field.peer.credentials)
  try {
    const questions = await requestQuestions(client, peer)
    const rows: Row[] = []
    for (const make of questions.filter(({ name }) => name.includes(only))) {
      rows.push(await contest(group, await make.question(), field))
    }
    return rows
  } finally {
    client.close()
    peer?.close()
  }
}

interface LazyQuestion {
  readonly name: string
  readonly question: () => Promise<Question>
}

async function requestQuestions(ours: SecureClient, peer: SecureClient | undefined): Promise<readonly LazyQuestion[]> {
  const own = await chosenObject(ours)
  const theirs = peer === undefined ? undefined : await chosenObject(peer)
  const both = (make: (object: ChosenObject) => string) => (who: 'ours' | 'peer') => {
    const object = who === 'ours' ? own : theirs
    return object === undefined ? undefined : [make(object)]
  }
  const objectPath = ({ namespace, name }: ChosenObject) => `${GROUP}/namespaces/${namespace}/packagemanifests/${name}`
  const spread = () =>
    Array.from({ length: NAMESPACES }, (_, index) => `${GROUP}/namespaces/team-${index}/packagemanifests`)

  function question(
    name: string,
    paths: Question['paths'],
    headers: Question['headers'],
    goal?: Question['goal'],
  ): LazyQuestion {
    const make = async (): Promise<Question> => {
      const [path = ''] = paths('ours') ?? []
      const ready = await settledAnswer(ours, path, headers)
      return { name, paths, headers, status: 200, ready, ...(goal === undefined ? {} : { goal }) }
    }
    return { name, question: make }
  }

  function unchanged(
    name: string,
    path: Question['paths'],
    ready: (answer: Answer) => ReadyAnswer,
    goal?: Question['goal'],
  ): LazyQuestion {
    const make = async (): Promise<Question> => {
      const [own = ''] = path('ours') ?? []
      const answer = await ours.ask(own, GZIP)
      const headers = { ...GZIP, 'if-none-match': answer.headers.etag ?? '' }
      // A peer without ETags has no such answer to give.
      const paths = (who: 'ours' | 'peer') => (who === 'ours' ? [own] : undefined)
      return { name, paths, headers, status: 304, ready: ready(answer), ...(goal === undefined ? {} : { goal }) }
    }
    return { name, question: make }
  }

  const list = both(() => PACKAGES)
  return [
    question('list, gzip', list, GZIP, { atLeast: 0.8 }),
    question('list, plain', list, PLAIN, { atLeast: 0.8 }),
    question('list of one namespace, 1,000 different ones, gzip', spread, GZIP),
    question('list as table, gzip', list, { 'accept-encoding': 'gzip', accept: TABLE }, { atLeast: 0.8 }),
    question(
      'one page of 500, gzip',
      both(() => `${PACKAGES}?limit=500`),
      GZIP,
    ),
    question(
      'selector list, catalog=, gzip',
      both((one) => `${PACKAGES}?labelSelector=catalog%3D${one.catalog}`),
      GZIP,
    ),
    question('get one, gzip', both(objectPath), GZIP, { atLeast: 0.6 }),
    question('get one, plain', both(objectPath), PLAIN, { atLeast: 0.6 }),
    question(
      'icon',
      both((one) => `${objectPath(one)}/icon`),
      {},
      { atLeast: 0.6 },
    ),
    unchanged(
      'icon, unchanged (304)',
      both((one) => `${objectPath(one)}/icon`),
      notModified,
    ),
    unchanged('list, unchanged (304)', list, twoBytes, { atLeast: 0.6 }),
    question(
      'discovery',
      both(() => GROUP),
      PLAIN,
    ),
  ]
}

interface ChosenObject {
  readonly namespace: string
  readonly name: string
  readonly catalog: string
}

/** The object in the middle by its size: what a server serves differs most in that. */
async function chosenObject(client: SecureClient): Promise<ChosenObject> {
  const { body } = await client.ask(PACKAGES, GZIP_NONE)
  const { items } = JSON.parse(body.toString()) as {
    items: { metadata: { namespace: string; name: string }; status: { catalogSource: string } }[]
  }
  const bySize = items.map((item) => ({ item, size: JSON.stringify(item).length })).sort((a, b) => a.size - b.size)
  const chosen = bySize[bySize.length >> 1]?.item
  if (chosen === undefined) throw new Error('no package is listed')
  return { ...chosen.metadata, catalog: chosen.status.catalogSource }
}

const GZIP_NONE = { accept: 'application/json' }

async function settledAnswer(client: SecureClient, path: string, headers: Question['headers']): Promise<ReadyAnswer> {
  await client.ask(path, headers)
  await client.ask(path, headers)
  await client.ask(path, headers)
  await pause(SETTLE_MS)
  return readyAnswer(await client.ask(path, headers))
}

function readyAnswer({ status, headers, body }: Answer): ReadyAnswer {
  if (status !== 200) throw new Error(`status ${status}: ${body.toString().slice(0, 200)}`)
  const encoding = headers['content-encoding']
  return {
    path: `/${encoding ?? 'plain'}/${createHash('sha1').update(body).digest('hex')}`,
    status,
    headers: {
      'content-type': headers['content-type'] ?? '',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
    body,
  }
}

function notModified({ headers }: Answer): ReadyAnswer {
  return { path: '/unchanged', status: 304, headers: { etag: headers.etag ?? '' }, body: new Uint8Array() }
}

/** The smallest answer with a body. */
function twoBytes(): ReadyAnswer {
  return { path: '/plain/small', status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') }
}
