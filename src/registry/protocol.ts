// The protocol as gRPC wants it: registry.proto and health.proto, loaded. Both ends of the wire take it from here.
import { fileURLToPath } from 'node:url'
import { loadPackageDefinition, type ServiceClientConstructor, type ServiceDefinition } from '@grpc/grpc-js'
import { loadSync, type PackageDefinition } from '@grpc/proto-loader'

export interface Protocol {
  readonly definition: PackageDefinition
  readonly registry: ServiceDefinition
  readonly experimental: ServiceDefinition
  readonly health: ServiceDefinition
  /** Constructors of raw clients, for the calling end. */
  readonly clients: {
    readonly registry: ServiceClientConstructor
    readonly experimental: ServiceClientConstructor
    readonly health: ServiceClientConstructor
  }
}

/** Reads the two .proto files (about 50 ms): call it once per program and hand it on. */
export function loadProtocol(): Protocol {
  const directory = fileURLToPath(new URL('.', import.meta.url))
  const definition = loadSync(['registry.proto', 'health.proto'], {
    includeDirs: [directory],
    keepCase: true,
    defaults: true,
    enums: String,
  })
  const services = loadPackageDefinition(definition) as unknown as {
    readonly api: {
      readonly Registry: ServiceClientConstructor
      readonly ExperimentalRegistry: ServiceClientConstructor
    }
    readonly grpc: { readonly health: { readonly v1: { readonly Health: ServiceClientConstructor } } }
  }
  const registry = services.api.Registry
  const experimental = services.api.ExperimentalRegistry
  const health = services.grpc.health.v1.Health
  return {
    definition,
    registry: registry.service,
    experimental: experimental.service,
    health: health.service,
    clients: { registry, experimental, health },
  }
}
