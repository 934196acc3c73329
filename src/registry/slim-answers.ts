// Answers as they go on the wire. A field at its default value is not there: the encoder by itself writes empty texts,
// which callers that look for a field's presence would take for values. Manifests of bundles go as the bytes they are.
import type { ServiceDefinition } from '@grpc/grpc-js'
import { bundleBytes } from './bundle-bytes.ts'
import type { ServedBundle } from './registry-content.ts'

const BUNDLE_CALLS: ReadonlySet<string> = new Set([
  'GetBundle',
  'GetBundleForChannel',
  'GetBundleThatReplaces',
  'GetDefaultBundleThatProvides',
  'ListBundles',
])

/** The same service, its answers without empty texts, empty lists and nulls, at any depth; bundles are ServedBundles. */
export function slimAnswers(service: ServiceDefinition): ServiceDefinition {
  return Object.fromEntries(
    Object.entries(service).map(([name, method]) => {
      const encode = (answer: unknown): Buffer => method.responseSerialize(withoutDefaults(answer))
      const responseSerialize = BUNDLE_CALLS.has(name)
        ? (answer: unknown) => bundleBytes(answer as ServedBundle, encode)
        : encode
      return [name, { ...method, responseSerialize }]
    }),
  )
}

function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return typeof value[0] === 'object' ? value.map(withoutDefaults) : value
  if (typeof value !== 'object' || value === null) return value
  const slim: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value)) {
    if (field === '' || field === null || (Array.isArray(field) && field.length === 0)) continue
    slim[key] = typeof field === 'object' ? withoutDefaults(field) : field
  }
  return slim
}
