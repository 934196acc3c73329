// The JSON Schema of `currentCSVDesc`: what a channel shows of the ClusterServiceVersion at its head.
import type {
  ApiServiceDescription,
  AppLink,
  CrdDescription,
  GroupVersionKind,
  InstallMode,
  Maintainer,
  Owned,
} from './cluster-service-version.ts'
import type { DescribedSchemaOf, SchemaOf } from './json-schema.ts'
import { type CsvDescription, OPERATORS_MODELS, PACKAGES_MODELS } from './package-manifest.ts'

const CRD: SchemaOf<CrdDescription> = {
  type: 'object',
  title: `${OPERATORS_MODELS}.CRDDescription`,
  properties: {
    name: { type: 'string', description: 'The full name of the definition, such as `backups.example.com`.' },
    version: { type: 'string', description: 'The version of the API that the operator works with, such as `v1beta1`.' },
    kind: { type: 'string', description: 'The kind of the resources, such as `Backup`.' },
    displayName: { type: 'string', description: 'The name of the kind for people.' },
    description: { type: 'string', description: 'What a resource of this kind stands for.' },
  },
  required: ['name', 'version', 'kind'],
}

const API_SERVICE: SchemaOf<ApiServiceDescription> = {
  type: 'object',
  title: `${OPERATORS_MODELS}.APIServiceDescription`,
  properties: {
    name: { type: 'string', description: 'The plural name of the resources.' },
    group: { type: 'string', description: 'The API group, such as `metrics.example.com`.' },
    version: { type: 'string', description: 'The version of the API, such as `v1`.' },
    kind: { type: 'string', description: 'The kind of the resources.' },
    displayName: { type: 'string', description: 'The name of the kind for people.' },
    description: { type: 'string', description: 'What a resource of this kind stands for.' },
  },
  required: ['name', 'group', 'version', 'kind'],
}

const LINK: SchemaOf<AppLink> = {
  type: 'object',
  title: `${PACKAGES_MODELS}.AppLink`,
  properties: {
    name: { type: 'string', description: 'What the link leads to.' },
    url: { type: 'string', description: 'Its address.' },
  },
}

const MAINTAINER: SchemaOf<Maintainer> = {
  type: 'object',
  title: `${PACKAGES_MODELS}.Maintainer`,
  properties: {
    name: { type: 'string', description: 'The name of the person or team.' },
    email: { type: 'string', description: 'The address to write to.' },
  },
}

const INSTALL_MODE: SchemaOf<InstallMode> = {
  type: 'object',
  title: `${OPERATORS_MODELS}.InstallMode`,
  properties: {
    type: {
      type: 'string',
      description:
        'Which namespaces the operator can watch: OwnNamespace, SingleNamespace, MultiNamespace or AllNamespaces.',
    },
    supported: { type: 'boolean', description: 'Whether the operator can be installed that way.' },
  },
  required: ['type', 'supported'],
}

const GROUP_VERSION_KIND: SchemaOf<GroupVersionKind> = {
  type: 'object',
  title: 'io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionKind',
  properties: {
    group: { type: 'string', description: 'The API group; empty for the core group.' },
    version: { type: 'string', description: 'The version of the API.' },
    kind: { type: 'string', description: 'The kind of the resources.' },
  },
  required: ['group', 'version', 'kind'],
}

function definitions<T>(title: string, what: string, api: SchemaOf<T>): DescribedSchemaOf<Owned<T>> {
  return {
    type: 'object',
    title: `${OPERATORS_MODELS}.${title}`,
    description: `The ${what} that the operator brings and those that it needs. Empty where there are none.`,
    properties: {
      owned: { type: 'array', description: `The ${what} that come with the operator.`, items: api },
      required: { type: 'array', description: `The ${what} that must come from other operators.`, items: api },
    },
  }
}

export const CSV_DESCRIPTION_SCHEMA: DescribedSchemaOf<CsvDescription> = {
  type: 'object',
  title: `${PACKAGES_MODELS}.CSVDescription`,
  description:
    'What the newest version of the channel says about itself. Icons have an address of their own: `…/icon`.',
  properties: {
    displayName: { type: 'string', description: "The operator's name for people." },
    version: { type: 'string', description: 'The version as semver; `0.0.0` where none is stated.' },
    provider: {
      ...LINK,
      description: 'Who provides the operator. Empty where it does not say.',
      properties: {
        name: { type: 'string', description: 'The name of the person or organisation.' },
        url: { type: 'string', description: 'Where to read about them.' },
      },
    },
    annotations: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description:
        'Facts for tools and consoles, such as `capabilities`, `categories`, `repository`, examples of resources (`alm-examples`) and the namespace to install into (`operatorframework.io/suggested-namespace`).',
    },
    keywords: {
      type: 'array',
      description: 'Words by which people search for the operator.',
      items: { type: 'string' },
    },
    links: { type: 'array', description: 'Where to read more: documentation, source code, support.', items: LINK },
    maintainers: {
      type: 'array',
      description: 'Who looks after the operator and how to reach them.',
      items: MAINTAINER,
    },
    maturity: {
      type: 'string',
      description: 'How mature the author thinks this version is, such as `alpha` or `stable`.',
    },
    description: { type: 'string', description: 'What the operator does and how it is used, at length, in Markdown.' },
    installModes: {
      type: 'array',
      description: 'Into which groups of namespaces the operator can be installed.',
      items: INSTALL_MODE,
    },
    customresourcedefinitions: definitions('CustomResourceDefinitions', 'custom resource definitions', CRD),
    apiservicedefinitions: definitions('APIServiceDefinitions', 'aggregated APIs', API_SERVICE),
    nativeApis: {
      type: 'array',
      description: 'APIs of Kubernetes itself that the cluster must serve for the operator to work.',
      items: GROUP_VERSION_KIND,
    },
    minKubeVersion: { type: 'string', description: 'The oldest Kubernetes version that the operator runs on.' },
    relatedImages: {
      type: 'array',
      description: 'Every container image that the operator uses: what a disconnected cluster has to mirror. Sorted.',
      items: { type: 'string' },
    },
  },
  required: ['version', 'provider', 'customresourcedefinitions', 'apiservicedefinitions'],
}
