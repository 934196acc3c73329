// CatalogSource (operators.coreos.com/v1alpha1): the fields we read, slim. Section 1 of the rule book.
// Receives an object from outside, hands on what names its registry, or what is wrong with it and where.
import type { StringMap } from './meta.ts'
import { type RegistryAddress, registryAddress } from './registry-address.ts'
import { createCheck } from './schema-check.ts'

export interface CatalogSource {
  readonly namespace: string
  readonly name: string
  readonly uid: string | undefined
  /** RFC 3339, UTC, whole seconds. */
  readonly creationTimestamp: string | undefined
  readonly labels: StringMap
  /** `""` where unset. */
  readonly displayName: string
  /** `""` where unset. */
  readonly publisher: string
  /** Higher wins a name that several catalogs offer. 0 where unset. */
  readonly priority: number
  /** `host:port` of its registry; undefined while there is nothing to dial yet, which is no error. */
  readonly address: string | undefined
}

/** `namespace/name`: what tells catalogs apart everywhere in this project. */
export type CatalogKey = string

export function catalogKey(source: Pick<CatalogSource, 'namespace' | 'name'>): CatalogKey {
  return `${source.namespace}/${source.name}`
}

/** What is wrong with an object, and the members and indexes that lead to it. */
export interface CatalogSourceFault {
  readonly path: readonly string[]
  readonly reason: string
}

export interface ParsedCatalogSource {
  /** Undefined where not even namespace and name can be made out. With a fault elsewhere its address is undefined. */
  readonly source: CatalogSource | undefined
  readonly fault: CatalogSourceFault | undefined
  /** Of its annotations, as text. Whoever touches one asks for the catalog to be read again. */
  readonly touch: string
}

const API_VERSION = 'operators.coreos.com/v1alpha1'
const KIND = 'CatalogSource'

interface RawCatalogSource {
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly uid?: string | null
    readonly creationTimestamp?: string | null
    readonly labels?: Readonly<Record<string, string>> | null
    readonly annotations?: unknown
  }
  readonly spec?: {
    readonly displayName?: string | null
    readonly publisher?: string | null
    readonly priority?: number | null
    readonly address?: string | null
  } | null
  readonly status?: { readonly registryService?: RegistryAddress | null } | null
}

const TEXT = { type: ['string', 'null'] }
/** Names of objects are DNS subdomains, those of namespaces DNS labels (RFC 1123, as the Kubernetes API demands). */
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const IDENTITY = {
  type: 'object',
  required: ['metadata'],
  properties: {
    metadata: {
      type: 'object',
      required: ['name', 'namespace'],
      properties: {
        name: {
          type: 'string',
          maxLength: 253,
          pattern: `^${LABEL}(\\.${LABEL})*$`,
          description: 'lower-case letters, digits, "-" and "."',
        },
        namespace: {
          type: 'string',
          maxLength: 63,
          pattern: `^${LABEL}$`,
          description: 'lower-case letters, digits and "-"',
        },
      },
    },
  },
}
const SCHEMA = {
  type: 'object',
  required: ['metadata'],
  properties: {
    apiVersion: { const: API_VERSION },
    kind: { const: KIND },
    metadata: {
      ...IDENTITY.properties.metadata,
      properties: {
        ...IDENTITY.properties.metadata.properties,
        uid: TEXT,
        creationTimestamp: TEXT,
        labels: { type: ['object', 'null'], additionalProperties: { type: 'string' } },
      },
    },
    spec: {
      type: ['object', 'null'],
      properties: {
        displayName: TEXT,
        publisher: TEXT,
        priority: { type: ['integer', 'null'], minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
        address: TEXT,
      },
    },
    status: {
      type: ['object', 'null'],
      properties: {
        registryService: {
          type: ['object', 'null'],
          properties: { serviceName: TEXT, serviceNamespace: TEXT, port: { type: ['string', 'integer', 'null'] } },
        },
      },
    },
  },
}

const checkIdentity = createCheck<Pick<RawCatalogSource, 'metadata'>>(IDENTITY)
const check = createCheck<RawCatalogSource>(SCHEMA)

/** Never throws. `apiVersion` and `kind` may be absent, as in the items of a list. */
export function parseCatalogSource(value: unknown): ParsedCatalogSource {
  const checked = check(value)
  if (checked.ok) return { ...parseRaw(checked.value), touch: touchOf(checked.value.metadata.annotations) }
  const identity = checkIdentity(value)
  const { path, reason } = checked
  return { source: identity.ok ? bare(identity.value.metadata) : undefined, fault: { path, reason }, touch: '' }
}

function parseRaw({ metadata, spec, status }: RawCatalogSource): Omit<ParsedCatalogSource, 'touch'> {
  const address = registryAddress(spec?.address, status?.registryService)
  const creationTimestamp = metadata.creationTimestamp ?? undefined
  const source: CatalogSource = {
    ...bare(metadata),
    uid: metadata.uid ?? undefined,
    creationTimestamp: creationTimestamp === undefined ? undefined : wholeSeconds(creationTimestamp),
    labels: stringMap(metadata.labels ?? {}),
    displayName: spec?.displayName ?? '',
    publisher: spec?.publisher ?? '',
    priority: spec?.priority ?? 0,
    address: address.ok ? address.address : undefined,
  }
  if (!address.ok) return { source, fault: { path: address.path, reason: address.reason } }
  if (creationTimestamp !== undefined && source.creationTimestamp === undefined) {
    const path = ['metadata', 'creationTimestamp']
    return { source, fault: { path, reason: `${path.join('.')} "${creationTimestamp}" is not a time (RFC 3339)` } }
  }
  return { source, fault: undefined }
}

/** kubectl's own note changes with every apply and says nothing of its own. */
const KUBECTL_NOTE = 'kubectl.kubernetes.io/last-applied-configuration'

function touchOf(annotations: unknown): string {
  if (typeof annotations !== 'object' || annotations === null) return ''
  const own = Object.entries(annotations).filter(([name]) => name !== KUBECTL_NOTE)
  return JSON.stringify(own.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function bare({ namespace, name }: Pick<CatalogSource, 'namespace' | 'name'>): CatalogSource {
  return {
    namespace,
    name,
    uid: undefined,
    creationTimestamp: undefined,
    labels: stringMap({}),
    displayName: '',
    publisher: '',
    priority: 0,
    address: undefined,
  }
}

function stringMap(members: Readonly<Record<string, string>>): StringMap {
  return Object.freeze(Object.assign(Object.create(null) as Record<string, string>, members))
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

/** Undefined where the text is no RFC 3339 time. */
function wholeSeconds(text: string): string | undefined {
  const time = RFC_3339.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : `${new Date(time).toISOString().slice(0, 19)}Z`
}
