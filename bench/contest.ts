// One question, asked of us, of the limits and of a peer in turns, so that whatever else the machine does hits all of them
// alike. Receives a question, hands on its row: medians over the rounds.

import type { Limits, ReadyAnswer } from './limits.ts'
import { type Contestant, type LoadResult, load, median } from './load.ts'
import type { Row } from './result.ts'

export interface Question {
  readonly name: string
  readonly paths: (contestant: 'ours' | 'peer') => readonly string[] | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
  /** What the limit answers instead. */
  readonly ready: ReadyAnswer
  readonly goal?: Row['goal']
}

export interface Field {
  readonly ours: Contestant
  readonly limits: Limits
  readonly peer: Contestant | undefined
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  /** Once more, for a profile of us, in a round that does not count. */
  readonly profile: ((name: string, work: () => Promise<unknown>) => Promise<void>) | undefined
}

export async function contest(group: string, question: Question, field: Field): Promise<Row> {
  const { name, headers, status, ready, goal } = question
  const { ours, limits, peer, rounds, seconds, connections } = field
  await limits.serve([ready])
  const { node, nginx } = limits
  const { credentials } = ours
  const limit: Contestant = {
    name: 'node:https',
    origin: node.origin,
    credentials,
    cpuMs: async () => (await node.process.observe()).cpuMs,
  }
  const files: Contestant | undefined =
    nginx === undefined || ready.status !== 200 ? undefined : { name: 'nginx', origin: nginx.origin, credentials }
  const how = { headers, seconds, connections }
  const own = { ...how, status, paths: question.paths('ours') ?? [] }
  const same = { ...how, status: ready.status, paths: [ready.path] }
  const peerPaths = peer === undefined ? undefined : question.paths('peer')
  let asked = 0
  /** Different paths in every round: what was asked in the one before may be kept. */
  const turned = () => ({ ...own, paths: rotated(own.paths, asked++ / (rounds + 1)) })
  const results: Record<'ours' | 'limit' | 'nginx' | 'peer', LoadResult[]> = {
    ours: [],
    limit: [],
    nginx: [],
    peer: [],
  }
  for (let round = 0; round < rounds; round++) {
    results.ours.push(await load(ours, turned()))
    results.limit.push(await load(limit, same))
    if (files !== undefined) results.nginx.push(await load(files, same))
    if (peer !== undefined && peerPaths !== undefined)
      results.peer.push(await load(peer, { ...how, status, paths: peerPaths }))
  }
  await field.profile?.(name, () => load(ours, turned()))
  return { group, name, unit: '/s', ...figures(results), ...(goal === undefined ? {} : { goal }) }
}

function rotated(paths: readonly string[], share: number): readonly string[] {
  const start = Math.floor(paths.length * (share % 1))
  return [...paths.slice(start), ...paths.slice(0, start)]
}

/** Ratios are taken within each round. */
function figures({ ours, limit, nginx, peer }: Record<'ours' | 'limit' | 'nginx' | 'peer', readonly LoadResult[]>) {
  const rate = (results: readonly LoadResult[]) => median(results.map(({ perSecond }) => perSecond))
  const ratios = ours.map(({ perSecond }, round) => perSecond / (limit[round]?.perSecond ?? Number.NaN))
  const costs = ours.map(({ cpuMs }, round) => (limit[round]?.cpuMs ?? Number.NaN) / (cpuMs ?? Number.NaN))
  return {
    value: rate(ours),
    limit: rate(limit),
    ratio: median(ratios),
    cpuRatio: median(costs),
    cpuMs: median(ours.map(({ cpuMs }) => cpuMs ?? Number.NaN)),
    ...(nginx.length === 0 ? {} : { nginx: rate(nginx) }),
    ...(peer.length === 0 ? {} : { peer: rate(peer) }),
  }
}
