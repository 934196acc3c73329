// The JSON Schema of ObjectMeta, as far as our resources fill it.
import type { DescribedSchemaOf } from './json-schema.ts'
import type { ObjectMeta } from './meta.ts'

export const OBJECT_META_SCHEMA: DescribedSchemaOf<ObjectMeta> = {
  type: 'object',
  title: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
  description: 'What Kubernetes knows of every object: its name, where it lives, and the labels it can be selected by.',
  properties: {
    name: {
      type: 'string',
      description: 'The name of the object, unique among its kind in its namespace unless several catalogs offer it.',
    },
    namespace: {
      type: 'string',
      description:
        'The namespace in which the object was asked for; in an answer about all namespaces, the one it belongs to.',
    },
    uid: {
      type: 'string',
      description: 'Tells this object from every other, also from one of the same name. The same on every replica.',
    },
    resourceVersion: {
      type: 'string',
      description:
        'Grows whenever the object changes. Opaque to clients: compare it for equality, start watches from it.',
    },
    creationTimestamp: {
      type: 'string',
      format: 'date-time',
      description: 'When what the object comes from was created, in UTC (RFC 3339). Left out where that is unknown.',
    },
    labels: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Keys and values by which objects are selected, as with `kubectl get -l key=value`.',
    },
    annotations: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Keys and values for tools and people. They cannot be selected by.',
    },
  },
  required: ['name', 'namespace'],
}
