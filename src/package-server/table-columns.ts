// The columns that every table of the Kubernetes API has: name first, age last. Their descriptions are part of the wire:
// the API documents these two fields of ObjectMeta in these words, and clients of the reference server receive them.
import type { TableColumn } from '../http/resource.ts'

export const NAME_COLUMN: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description:
    'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
  priority: 0,
}

export const AGE_COLUMN: TableColumn = {
  name: 'Age',
  type: 'string',
  format: '',
  description:
    'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
  priority: 0,
}

/** `priority` 1: shown with `-o wide` alone. */
export function textColumn(name: string, description: string, priority = 0): TableColumn {
  return { name, type: 'string', format: '', description, priority }
}
