// One package of a snapshot as a line of text, and back: what is kept on disk between two lives of the process. Receives what a
// reading found, hands on text; what comes back from a disk is believed only where it has every member and type.
import type { ClusterServiceVersion } from '../api/cluster-service-version.ts'
import { createCheck } from '../api/schema-check.ts'
import { stringMap } from '../api/string-map.ts'
import { packageNameFault } from './askable-name.ts'
import type { SnapshotChannel, SnapshotEntry, SnapshotPackage } from './snapshot.ts'

/** Channels that share a head share it on the line too. */
interface KeptLine extends Omit<SnapshotPackage, 'channels' | 'deprecation'> {
  readonly deprecation?: string
  readonly heads: readonly (Omit<ClusterServiceVersion, 'icon'> & { readonly icon?: ClusterServiceVersion['icon'] })[]
  readonly channels: readonly (Omit<SnapshotChannel, 'head' | 'deprecation' | 'entries'> & {
    readonly deprecation?: string
    /** Index into `heads`. */
    readonly head: number
    readonly entries: readonly (Omit<SnapshotEntry, 'deprecation'> & { readonly deprecation?: string })[]
  })[]
}

const TEXT = { type: 'string' } as const
const TEXTS = { type: 'array', items: TEXT } as const
const TEXT_MAP = { type: 'object', additionalProperties: TEXT } as const

function members(required: Readonly<Record<string, object>>, optional: Readonly<Record<string, object>> = {}) {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(required),
    properties: { ...required, ...optional },
  } as const
}

function listOf(items: object) {
  return { type: 'array', items } as const
}

const APP_LINK = members({}, { name: TEXT, url: TEXT })
const DESCRIBED = { displayName: TEXT, description: TEXT }
const CRDS = listOf(members({ name: TEXT, version: TEXT, kind: TEXT }, DESCRIBED))
const API_SERVICES = listOf(members({ name: TEXT, group: TEXT, version: TEXT, kind: TEXT }, DESCRIBED))

const HEAD = {
  name: TEXT,
  labels: TEXT_MAP,
  annotations: TEXT_MAP,
  displayName: TEXT,
  version: TEXT,
  provider: APP_LINK,
  keywords: TEXTS,
  links: listOf(APP_LINK),
  maintainers: listOf(members({}, { name: TEXT, email: TEXT })),
  maturity: TEXT,
  description: TEXT,
  installModes: listOf(members({ type: TEXT, supported: { type: 'boolean' } })),
  customResourceDefinitions: members({}, { owned: CRDS, required: CRDS }),
  apiServiceDefinitions: members({}, { owned: API_SERVICES, required: API_SERVICES }),
  nativeApis: listOf(members({ group: TEXT, version: TEXT, kind: TEXT })),
  minKubeVersion: TEXT,
  relatedImages: TEXTS,
} satisfies Record<Exclude<keyof ClusterServiceVersion, 'icon'>, object>

const ENTRY = {
  name: TEXT,
  version: TEXT,
  replaces: TEXT,
  skips: TEXTS,
  skipRange: TEXT,
} satisfies Record<Exclude<keyof SnapshotEntry, 'deprecation'>, object>

const DEPRECATION = { deprecation: TEXT }
const CHANNEL = { name: TEXT, head: { type: 'integer', minimum: 0 }, entries: listOf(members(ENTRY, DEPRECATION)) }
const HEADS = listOf(members(HEAD, { icon: members({ base64data: TEXT, mediatype: TEXT }) }))
const LINE = { name: TEXT, defaultChannel: TEXT, heads: HEADS, channels: listOf(members(CHANNEL, DEPRECATION)) }

const check = createCheck<KeptLine>(members(LINE, DEPRECATION))

/** One line, without its end. */
export function encodeKeptPackage({ channels, ...facts }: SnapshotPackage): string {
  const heads = new Map<ClusterServiceVersion, number>()
  const lines = channels.map(({ head, ...channel }) => {
    const index = heads.get(head) ?? heads.size
    heads.set(head, index)
    return { ...channel, head: index }
  })
  return JSON.stringify({ ...facts, heads: [...heads.keys()], channels: lines })
}

/** Throws where the text is no package, naming what is wrong with it. */
export function decodeKeptPackage(text: string): SnapshotPackage {
  const checked = check(JSON.parse(text))
  if (!checked.ok) throw new Error(checked.reason)
  const { name, defaultChannel, deprecation, heads, channels } = checked.value
  const fault = packageNameFault(name)
  if (fault !== undefined) throw new Error(fault)
  const decoded = heads.map(decodeHead)
  return Object.freeze({
    name,
    deprecation,
    defaultChannel,
    channels: Object.freeze(channels.map((channel) => decodeChannel(channel, decoded))),
  })
}

function decodeHead({ labels, annotations, icon, ...head }: KeptLine['heads'][number]): ClusterServiceVersion {
  const maps = { labels: stringMap(Object.entries(labels)), annotations: stringMap(Object.entries(annotations)) }
  return Object.freeze({ ...head, ...maps, icon })
}

function decodeChannel(
  { name, deprecation, head, entries }: KeptLine['channels'][number],
  heads: readonly ClusterServiceVersion[],
): SnapshotChannel {
  const found = heads[head]
  if (found === undefined) throw new Error(`channels.head ${head} is none of ${heads.length} heads`)
  const all = entries.map(({ deprecation, ...entry }) => Object.freeze({ ...entry, deprecation }))
  return Object.freeze({ name, deprecation, head: found, entries: Object.freeze(all) })
}
