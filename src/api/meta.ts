// Words of the Kubernetes API machinery (k8s.io/apimachinery meta/v1) that our objects use. No behaviour.

/** A map of strings whose keys come from outside: always made without a prototype. */
export type StringMap = Readonly<Record<string, string>>

export interface ObjectMeta {
  readonly name: string
  readonly namespace: string
  readonly uid?: string
  /** Decimal, rising, below 2^53. */
  readonly resourceVersion?: string
  /** RFC 3339, UTC, whole seconds. Left out where unknown, never null. */
  readonly creationTimestamp?: string
  readonly labels?: StringMap
  readonly annotations?: StringMap
}

export interface ListMeta {
  readonly resourceVersion?: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

export interface StatusCause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

/** The body of every answer that is not 2xx. Member order is the order on the wire. */
export interface Status {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: ListMeta
  readonly status: 'Success' | 'Failure'
  readonly message?: string
  readonly reason?: string
  readonly details?: StatusDetails
  readonly code: number
}
