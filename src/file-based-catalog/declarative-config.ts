// The words of the format: what a blob of each schema looks like. Shapes only; what they mean is decided elsewhere.
import { base64Bytes } from './base64-data.ts'
import { list, optional, raw, record, text, type ValueOf } from './shape.ts'

export const SCHEMA_PACKAGE = 'olm.package'
export const SCHEMA_CHANNEL = 'olm.channel'
export const SCHEMA_BUNDLE = 'olm.bundle'
export const SCHEMA_DEPRECATIONS = 'olm.deprecations'

const property = record('property.Property', { type: text, value: raw })

export const packageBlob = record('declcfg.Package', {
  schema: text,
  name: text,
  defaultChannel: text,
  icon: optional(record('declcfg.Icon', { base64data: base64Bytes, mediatype: text })),
  description: text,
  properties: list(property),
})

export const channelBlob = record('declcfg.Channel', {
  schema: text,
  name: text,
  package: text,
  entries: list(record('declcfg.ChannelEntry', { name: text, replaces: text, skips: list(text), skipRange: text })),
  properties: list(property),
})

export const bundleBlob = record('declcfg.Bundle', {
  schema: text,
  name: text,
  package: text,
  image: text,
  properties: list(property),
  relatedImages: list(record('declcfg.RelatedImage', { name: text, image: text })),
})

export const deprecationsBlob = record('declcfg.Deprecation', {
  schema: text,
  package: text,
  entries: list(
    record('declcfg.DeprecationEntry', {
      reference: record('declcfg.PackageScopedReference', { schema: text, name: text }),
      message: text,
    }),
  ),
})

export type PropertyBlob = ValueOf<typeof property>
export type PackageBlob = ValueOf<typeof packageBlob>
export type ChannelBlob = ValueOf<typeof channelBlob>
export type BundleBlob = ValueOf<typeof bundleBlob>
export type DeprecationsBlob = ValueOf<typeof deprecationsBlob>
