// ClusterServiceVersion (operators.coreos.com/v1alpha1): the fields we read, slim. Section 3 of the rule book.
// A field is added here only together with the place that shows it: everything else is dropped on arrival.

import { compareBytes } from './byte-order.ts'
import { readCsvText } from './csv-text.ts'
import type { StringMap } from './meta.ts'
import { normaliseVersion } from './operator-version.ts'
import { list, parsedText, struct, text, textMap, truth, type ValueOf } from './typed-json.ts'

/** Members are left out where empty, as on the wire; `name` and `url` of AppLink are strings, possibly absent. */
export interface AppLink {
  readonly name?: string
  readonly url?: string
}

export interface Maintainer {
  readonly name?: string
  readonly email?: string
}

export interface InstallMode {
  readonly type: string
  readonly supported: boolean
}

export interface CrdDescription {
  readonly name: string
  readonly version: string
  readonly kind: string
  readonly displayName?: string
  readonly description?: string
}

export interface ApiServiceDescription {
  readonly name: string
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly displayName?: string
  readonly description?: string
}

export interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

export interface Owned<T> {
  readonly owned?: readonly T[]
  readonly required?: readonly T[]
}

export interface Icon {
  readonly base64data: string
  readonly mediatype: string
}

export interface ClusterServiceVersion {
  readonly name: string
  readonly labels: StringMap
  readonly annotations: StringMap
  readonly displayName: string
  /** Normalised semver; `0.0.0` where missing. */
  readonly version: string
  readonly provider: AppLink
  readonly keywords: readonly string[]
  readonly links: readonly AppLink[]
  readonly maintainers: readonly Maintainer[]
  readonly maturity: string
  readonly description: string
  readonly installModes: readonly InstallMode[]
  readonly customResourceDefinitions: Owned<CrdDescription>
  readonly apiServiceDefinitions: Owned<ApiServiceDescription>
  readonly nativeApis: readonly GroupVersionKind[]
  readonly minKubeVersion: string
  /** A set, sorted. */
  readonly relatedImages: readonly string[]
  /** The first icon alone; undefined where there is none. */
  readonly icon: Icon | undefined
}

/** The version of a ClusterServiceVersion that bears none. */
const NO_VERSION = '0.0.0'

const APP_LINK = struct({ name: text, url: text })
const CRDS = list(struct({ name: text, version: text, kind: text, displayName: text, description: text }))
const API_SERVICES = list(
  struct({ name: text, group: text, version: text, kind: text, displayName: text, description: text }),
)
const CONTAINERS = list(struct({ image: text }))

/** Every field that we type; a wrong JSON type anywhere here makes the ClusterServiceVersion undecodable. */
const DOCUMENT = struct({
  metadata: struct({ name: text, labels: textMap, annotations: textMap }),
  spec: struct({
    displayName: text,
    icon: list(struct({ base64data: text, mediatype: text })),
    version: parsedText(NO_VERSION, 'a version', normaliseVersion),
    provider: APP_LINK,
    keywords: list(text),
    links: list(APP_LINK),
    maintainers: list(struct({ name: text, email: text })),
    maturity: text,
    description: text,
    installModes: list(struct({ type: text, supported: truth })),
    customresourcedefinitions: struct({ owned: CRDS, required: CRDS }),
    apiservicedefinitions: struct({ owned: API_SERVICES, required: API_SERVICES }),
    nativeAPIs: list(struct({ group: text, version: text, kind: text })),
    minKubeVersion: text,
    relatedImages: list(struct({ image: text })),
    install: struct({
      strategy: text,
      spec: struct({
        deployments: list(
          struct({
            spec: struct({
              template: struct({ spec: struct({ containers: CONTAINERS, initContainers: CONTAINERS }) }),
            }),
          }),
        ),
      }),
    }),
  }),
})

/** Decodes `bundle.csvJson` as section 3 of the rule book says. Never throws. The reason names the path at fault. */
export function decodeClusterServiceVersion(
  csvJson: string,
): { readonly csv: ClusterServiceVersion } | { readonly reason: string } {
  const decoded = readCsvText(csvJson, DOCUMENT)
  return 'reason' in decoded ? decoded : { csv: slim(decoded.value) }
}

/** What is known of a head bundle that comes without any ClusterServiceVersion. */
export function bareClusterServiceVersion(name: string, version: string): ClusterServiceVersion {
  const { metadata, spec } = DOCUMENT.zero
  return slim({ metadata: { ...metadata, name }, spec: { ...spec, version: normaliseVersion(version) ?? NO_VERSION } })
}

function slim({ metadata, spec }: ValueOf<typeof DOCUMENT>): ClusterServiceVersion {
  return Object.freeze({
    name: metadata.name,
    labels: metadata.labels,
    annotations: metadata.annotations,
    displayName: spec.displayName,
    version: spec.version,
    provider: spare(spec.provider, ['name', 'url']),
    keywords: spec.keywords,
    links: each(spec.links, (link) => spare(link, ['name', 'url'])),
    maintainers: each(spec.maintainers, (maintainer) => spare(maintainer, ['name', 'email'])),
    maturity: spec.maturity,
    description: spec.description,
    installModes: spec.installModes,
    customResourceDefinitions: definitions(spec.customresourcedefinitions),
    apiServiceDefinitions: definitions(spec.apiservicedefinitions),
    nativeApis: spec.nativeAPIs,
    minKubeVersion: spec.minKubeVersion,
    relatedImages: images(spec),
    icon: spec.icon[0],
  })
}

type Spare<T, K extends keyof T> = Omit<T, K> & { readonly [N in K]?: T[N] }

/** The same without those of the members that are empty, as they are left out on the wire. */
function spare<T extends object, K extends keyof T & string>(value: T, names: readonly K[]): Spare<T, K> {
  const entries = Object.entries(value).filter(([name, member]) => member !== '' || !names.some((n) => n === name))
  return Object.freeze(Object.fromEntries(entries)) as Spare<T, K>
}

function each<A, B>(values: readonly A[], make: (value: A) => B): readonly B[] {
  return Object.freeze(values.map(make))
}

function definitions<T extends { readonly displayName: string; readonly description: string }>({
  owned,
  required,
}: Required<Owned<T>>): Owned<Spare<T, 'displayName' | 'description'>> {
  const described = (list: readonly T[]) => each(list, (api) => spare(api, ['displayName', 'description']))
  return Object.freeze({
    ...(owned.length > 0 ? { owned: described(owned) } : {}),
    ...(required.length > 0 ? { required: described(required) } : {}),
  })
}

/** Images of the operator's own pods, and those it names. A container without an image counts as the empty name. */
function images({ install, relatedImages }: ValueOf<typeof DOCUMENT>['spec']): readonly string[] {
  const found = new Set(relatedImages.map(({ image }) => image))
  if (install.strategy === 'deployment') {
    for (const deployment of install.spec.deployments) {
      const { containers, initContainers } = deployment.spec.template.spec
      for (const { image } of [...containers, ...initContainers]) found.add(image)
    }
  }
  return Object.freeze([...found].sort(compareBytes))
}
