// The JSON Schema of PackageManifest: the one source of OpenAPI, `kubectl explain` and of the order of members on the wire.
// Titles are the names of the models in OpenAPI, as Kubernetes and OLM name them; descriptions are for whoever reads the object.
import { CSV_DESCRIPTION_SCHEMA } from './csv-description-schema.ts'
import type { DescribedSchemaOf } from './json-schema.ts'
import { OBJECT_META_SCHEMA } from './object-meta-schema.ts'
import {
  type ChannelEntry,
  type Deprecation,
  PACKAGE_MANIFEST_API_VERSION,
  PACKAGE_MANIFEST_KIND,
  PACKAGES_MODELS,
  type PackageChannel,
  type PackageManifest,
  type PackageManifestStatus,
} from './package-manifest.ts'

function deprecation(what: string): DescribedSchemaOf<Deprecation> {
  return {
    type: 'object',
    title: `${PACKAGES_MODELS}.Deprecation`,
    description: `Present only where the catalog marks ${what} as deprecated.`,
    properties: {
      message: {
        type: 'string',
        description: `Why ${what} should not be used any more and what to use instead, in the words of the catalog's author.`,
      },
    },
    required: ['message'],
  }
}

const CHANNEL_ENTRY: DescribedSchemaOf<ChannelEntry> = {
  type: 'object',
  title: `${PACKAGES_MODELS}.ChannelEntry`,
  description: 'A version of the operator that can be installed from the channel.',
  properties: {
    name: {
      type: 'string',
      description:
        'The name of the bundle: what a Subscription takes as `spec.startingCSV` to begin with this version.',
    },
    version: {
      type: 'string',
      description: 'The version as semver, such as `1.4.2`. Left out where the bundle states none.',
    },
    deprecation: deprecation('this version'),
  },
  required: ['name'],
}

const PACKAGE_CHANNEL: DescribedSchemaOf<PackageChannel> = {
  type: 'object',
  title: `${PACKAGES_MODELS}.PackageChannel`,
  description: 'A stream of versions to subscribe to.',
  properties: {
    name: { type: 'string', description: 'The name of the channel, as a Subscription states it in `spec.channel`.' },
    currentCSV: {
      type: 'string',
      description:
        'The name of the newest ClusterServiceVersion of the channel, the one that a new Subscription installs.',
    },
    currentCSVDesc: CSV_DESCRIPTION_SCHEMA,
    deprecation: deprecation('this channel'),
    entries: {
      type: 'array',
      description: 'Every version that can be installed from the channel, newest first.',
      items: CHANNEL_ENTRY,
    },
  },
  required: ['name', 'currentCSV', 'currentCSVDesc', 'entries'],
}

const STATUS: DescribedSchemaOf<PackageManifestStatus> = {
  type: 'object',
  title: `${PACKAGES_MODELS}.PackageManifestStatus`,
  description: 'What the catalog says about the package: where it comes from and which channels and versions it has.',
  properties: {
    catalogSource: {
      type: 'string',
      description:
        'The name of the CatalogSource that offers the package, as a Subscription states it in `spec.source`.',
    },
    catalogSourceDisplayName: {
      type: 'string',
      description: "The catalog's name for people; empty where its CatalogSource sets none.",
    },
    catalogSourcePublisher: {
      type: 'string',
      description: 'Who publishes the catalog; empty where its CatalogSource does not say.',
    },
    catalogSourceNamespace: {
      type: 'string',
      description:
        'The namespace of the CatalogSource, as a Subscription states it in `spec.sourceNamespace`. It differs from metadata.namespace where a global catalog is looked at from another namespace.',
    },
    provider: {
      type: 'object',
      title: `${PACKAGES_MODELS}.AppLink`,
      description: 'Who provides the operator, as its default channel says. Empty where it does not.',
      properties: {
        name: { type: 'string', description: 'The name of the person or organisation.' },
        url: { type: 'string', description: 'Where to read about them.' },
      },
    },
    packageName: {
      type: 'string',
      description: 'The name of the package in its catalog, as a Subscription states it in `spec.name`.',
    },
    deprecation: deprecation('the whole package'),
    channels: {
      type: 'array',
      description: 'The channels that can be subscribed to, sorted by name.',
      items: PACKAGE_CHANNEL,
    },
    defaultChannel: {
      type: 'string',
      description: 'The channel that a Subscription without `spec.channel` gets; empty where the package names none.',
    },
  },
  required: [
    'catalogSource',
    'catalogSourceDisplayName',
    'catalogSourcePublisher',
    'catalogSourceNamespace',
    'provider',
    'packageName',
    'channels',
    'defaultChannel',
  ],
}

export const PACKAGE_MANIFEST_SCHEMA: DescribedSchemaOf<PackageManifest> = {
  type: 'object',
  title: `${PACKAGES_MODELS}.PackageManifest`,
  description:
    'An operator that a catalog offers for installation: its channels, versions, description and where it comes from. Made from the catalog; to install it, create a Subscription.',
  properties: {
    kind: { type: 'string', enum: [PACKAGE_MANIFEST_KIND], description: 'The kind of the object: PackageManifest.' },
    apiVersion: {
      type: 'string',
      enum: [PACKAGE_MANIFEST_API_VERSION],
      description: 'The group and version of the API that serves the object.',
    },
    metadata: OBJECT_META_SCHEMA,
    spec: {
      type: 'object',
      title: `${PACKAGES_MODELS}.PackageManifestSpec`,
      description: 'Always empty: there is nothing to ask of a package, everything about it is in `status`.',
    },
    status: STATUS,
  },
  required: ['kind', 'apiVersion', 'metadata', 'spec', 'status'],
}
