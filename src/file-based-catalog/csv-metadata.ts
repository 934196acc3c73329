// Properties of type `olm.csv.metadata`: what of a ClusterServiceVersion a catalog keeps where it does not keep the whole.
import { flag, int32, list, namedText, omitEmpty, raw, record, text, textMap, type ValueOf } from './shape.ts'

const link = record('v1alpha1.AppLink', { name: omitEmpty(text), url: omitEmpty(text) })

const resources = omitEmpty(list(record('v1alpha1.APIResourceReference', { name: text, kind: text, version: text })))

const installModeType = namedText('v1alpha1.InstallModeType')

function descriptors(typeName: string) {
  return omitEmpty(
    list(
      record(typeName, {
        path: text,
        displayName: omitEmpty(text),
        description: omitEmpty(text),
        'x-descriptors': omitEmpty(list(text)),
        value: omitEmpty(raw),
      }),
    ),
  )
}

const described = {
  displayName: omitEmpty(text),
  description: omitEmpty(text),
  resources,
  statusDescriptors: descriptors('v1alpha1.StatusDescriptor'),
  specDescriptors: descriptors('v1alpha1.SpecDescriptor'),
  actionDescriptors: descriptors('v1alpha1.ActionDescriptor'),
}

const customResources = omitEmpty(
  list(record('v1alpha1.CRDDescription', { name: text, version: text, kind: text, ...described })),
)

const apiServices = omitEmpty(
  list(
    record('v1alpha1.APIServiceDescription', {
      name: text,
      group: text,
      version: text,
      kind: text,
      deploymentName: omitEmpty(text),
      containerPort: omitEmpty(int32),
      ...described,
    }),
  ),
)

/** In the order in which the reference program writes the fields. */
export const csvMetadata = record('property.CSVMetadata', {
  annotations: omitEmpty(textMap),
  apiServiceDefinitions: record('v1alpha1.APIServiceDefinitions', { owned: apiServices, required: apiServices }),
  crdDescriptions: record('v1alpha1.CustomResourceDefinitions', { owned: customResources, required: customResources }),
  description: omitEmpty(text),
  displayName: omitEmpty(text),
  installModes: omitEmpty(list(record('v1alpha1.InstallMode', { type: installModeType, supported: flag }))),
  keywords: omitEmpty(list(text)),
  labels: omitEmpty(textMap),
  links: omitEmpty(list(link)),
  maintainers: omitEmpty(list(record('v1alpha1.Maintainer', { name: omitEmpty(text), email: omitEmpty(text) }))),
  maturity: omitEmpty(text),
  minKubeVersion: omitEmpty(text),
  nativeAPIs: omitEmpty(list(record('v1.GroupVersionKind', { group: text, version: text, kind: text }))),
  provider: link,
})

export type CsvMetadata = ValueOf<typeof csvMetadata>
