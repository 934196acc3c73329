// Answers as proto3 writes them: a field at its default value is not on the wire. The encoder by itself writes empty
// texts, which callers that look for a field's presence would take for values.
import type { ServiceDefinition } from '@grpc/grpc-js'

/** The same service, its answers without empty texts, empty lists and nulls, at any depth. */
export function slimAnswers(service: ServiceDefinition): ServiceDefinition {
  return Object.fromEntries(
    Object.entries(service).map(([name, method]) => [
      name,
      { ...method, responseSerialize: (answer: unknown) => method.responseSerialize(withoutDefaults(answer)) },
    ]),
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
