// The JSON Schema of CatalogStatus: the one source of OpenAPI and `kubectl explain` for it.
import {
  CATALOG_STATUS_KIND,
  type CatalogCondition,
  type CatalogConnection,
  type CatalogFailure,
  type CatalogOmission,
  type CatalogReading,
  type CatalogStatus,
  type CatalogStatusSpec,
  type CatalogStatusStatus,
} from './catalog-status.ts'
import type { DescribedSchemaOf, SchemaOf } from './json-schema.ts'
import { OBJECT_META_SCHEMA } from './object-meta-schema.ts'
import { PACKAGE_MANIFEST_API_VERSION, PACKAGES_MODELS } from './package-manifest.ts'

const SPEC: DescribedSchemaOf<CatalogStatusSpec> = {
  type: 'object',
  title: `${PACKAGES_MODELS}.CatalogStatusSpec`,
  description: 'What the CatalogSource says of itself.',
  properties: {
    displayName: { type: 'string', description: "The catalog's name for people; empty where it has none." },
    publisher: { type: 'string', description: 'Who publishes the catalog; empty where it does not say.' },
    priority: {
      type: 'integer',
      format: 'int32',
      description: 'Among catalogs that offer one package name, the one with the highest number answers for it.',
    },
    address: {
      type: 'string',
      description: 'Where its registry is reached, as host and port. Left out while there is nothing to reach yet.',
    },
  },
  required: ['displayName', 'publisher', 'priority'],
}

const CONNECTION: DescribedSchemaOf<CatalogConnection> = {
  type: 'object',
  title: `${PACKAGES_MODELS}.CatalogConnection`,
  description: 'How the connection to the registry is.',
  properties: {
    state: {
      type: 'string',
      description:
        'READY, IDLE (nothing was asked for a while), CONNECTING, TRANSIENT_FAILURE (tried again by itself), SHUTDOWN, or NO_ADDRESS where the CatalogSource names none.',
    },
    since: { type: 'string', format: 'date-time', description: 'Since when it is in that state.' },
  },
  required: ['state', 'since'],
}

const READING: DescribedSchemaOf<CatalogReading> = {
  type: 'object',
  title: `${PACKAGES_MODELS}.CatalogReading`,
  description:
    'The last time that the registry was read from beginning to end: lists show what was found then. Left out where that has never happened.',
  properties: {
    time: { type: 'string', format: 'date-time', description: 'When the reading ended.' },
    packages: { type: 'integer', format: 'int32', description: 'How many packages it found that can be shown.' },
    channels: { type: 'integer', format: 'int32', description: 'How many channels these packages have in all.' },
    bytes: { type: 'integer', format: 'int64', description: 'How much the registry sent, in bytes.' },
  },
  required: ['time', 'packages', 'channels', 'bytes'],
}

const FAILURE: DescribedSchemaOf<CatalogFailure> = {
  type: 'object',
  title: `${PACKAGES_MODELS}.CatalogFailure`,
  description: 'Why lists may be out of date. Left out where the last attempt to read the registry succeeded.',
  properties: {
    since: {
      type: 'string',
      format: 'date-time',
      description: 'When the first attempt after the last good reading failed.',
    },
    reason: { type: 'string', description: 'What went wrong in the latest attempt.' },
  },
  required: ['since', 'reason'],
}

const OMISSION: SchemaOf<CatalogOmission> = {
  type: 'object',
  title: `${PACKAGES_MODELS}.CatalogOmission`,
  properties: {
    package: { type: 'string', description: 'The name of the package.' },
    channel: { type: 'string', description: 'The name of the channel; left out where the whole package is missing.' },
    reason: { type: 'string', description: 'Why it cannot be shown, and what to mend.' },
  },
  required: ['package', 'reason'],
}

const CONDITION: SchemaOf<CatalogCondition> = {
  type: 'object',
  title: `${PACKAGES_MODELS}.CatalogCondition`,
  properties: {
    type: {
      type: 'string',
      description:
        'Fresh: the last attempt to read the catalog succeeded. Complete: nothing of that reading was left out.',
    },
    status: { type: 'string', enum: ['True', 'False', 'Unknown'], description: 'Whether the condition holds.' },
    lastTransitionTime: {
      type: 'string',
      format: 'date-time',
      description: 'Since when it is so, where that is known.',
    },
    reason: { type: 'string', description: 'The cause in one word, for programs.' },
    message: { type: 'string', description: 'The cause in a sentence, for people; may be empty.' },
  },
  required: ['type', 'status', 'reason', 'message'],
}

const STATUS: DescribedSchemaOf<CatalogStatusStatus> = {
  type: 'object',
  title: `${PACKAGES_MODELS}.CatalogStatusStatus`,
  description: 'What the package server knows about the catalog.',
  properties: {
    connection: CONNECTION,
    reading: READING,
    failure: FAILURE,
    omitted: {
      type: 'integer',
      format: 'int32',
      description: 'How many packages and channels of the last good reading are not shown.',
    },
    omissions: {
      type: 'array',
      description: 'Those that are not shown, with the reason for each; the first hundred where there are more.',
      items: OMISSION,
    },
    conditions: {
      type: 'array',
      description: 'The same in short, for `kubectl wait --for=condition=Fresh` and its like.',
      items: CONDITION,
    },
  },
  required: ['connection', 'omitted', 'conditions'],
}

export const CATALOG_STATUS_SCHEMA: DescribedSchemaOf<CatalogStatus> = {
  type: 'object',
  title: `${PACKAGES_MODELS}.CatalogStatus`,
  description:
    'What the package server knows about one CatalogSource: whether its registry can be reached, when it was last read, and which packages are missing from lists and why. Made by the server; it cannot be changed.',
  properties: {
    kind: { type: 'string', enum: [CATALOG_STATUS_KIND], description: 'The kind of the object: CatalogStatus.' },
    apiVersion: {
      type: 'string',
      enum: [PACKAGE_MANIFEST_API_VERSION],
      description: 'The group and version of the API that serves the object.',
    },
    metadata: OBJECT_META_SCHEMA,
    spec: SPEC,
    status: STATUS,
  },
  required: ['kind', 'apiVersion', 'metadata', 'spec', 'status'],
}
