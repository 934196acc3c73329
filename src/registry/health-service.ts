// grpc.health.v1 for a whole server: one status whatever service is asked for, as operator registries have always answered.
import type {
  handleServerStreamingCall,
  handleUnaryCall,
  ServerWritableStream,
  UntypedServiceImplementation,
} from '@grpc/grpc-js'

export type ServingStatus = 'SERVING' | 'NOT_SERVING'

interface HealthCheckResponse {
  readonly status: ServingStatus
}

export interface HealthService {
  readonly implementation: UntypedServiceImplementation
  readonly status: ServingStatus
  /** Told to every watcher if it differs from the last. */
  set(status: ServingStatus): void
  /** Ends all watches: they would keep a server from shutting down. */
  close(): void
}

/** Begins as NOT_SERVING. */
export function createHealthService(): HealthService {
  let status: ServingStatus = 'NOT_SERVING'
  const watchers = new Set<ServerWritableStream<unknown, HealthCheckResponse>>()

  const check: handleUnaryCall<unknown, HealthCheckResponse> = (_call, callback) => callback(null, { status })
  const watch: handleServerStreamingCall<unknown, HealthCheckResponse> = (call) => {
    watchers.add(call)
    const forget = (): boolean => watchers.delete(call)
    call.on('cancelled', forget)
    call.on('close', forget)
    call.write({ status })
  }

  return {
    implementation: { Check: check, Watch: watch },
    get status() {
      return status
    },
    set(next) {
      if (next === status) return
      status = next
      for (const watcher of watchers) watcher.write({ status })
    },
    close() {
      for (const watcher of watchers) watcher.end()
      watchers.clear()
    },
  }
}
