// One olm.bundle blob as a draft: its properties read, its heavy texts packed, and every fault it has by itself.
import { objectJson } from './bundle-objects.ts'
import type { ContentWriter } from './content-store.ts'
import type { BundleBlob } from './declarative-config.ts'
import type { BundleDraft, PackageProperty } from './drafts.ts'
import { imageFault } from './image-reference.ts'
import { joinContent } from './packed-content.ts'
import type { BlobSource, Problem, Report } from './problem.ts'
import { type ObjectProperty, type ReadProperties, readProperties } from './property-values.ts'
import { quoted } from './quoted-text.ts'
import { releaseFault } from './release.ts'
import { readVersion } from './semantic-version.ts'
import type { Path } from './shape.ts'

interface Finding {
  readonly rule: Problem['rule']
  readonly reference: string
  readonly path: Path
  readonly message?: string
}

export function draftBundle(
  blob: BundleBlob,
  source: BlobSource,
  contents: ContentWriter,
  report: Report,
): BundleDraft {
  const about = { source, package: blob.package, bundle: blob.name }
  const properties = readProperties(blob.properties)
  const { objects, findings } = readObjects(blob, properties.objects)
  for (const finding of findings) report(problemOf(finding, 'read', about))
  const [main] = properties.packageProperties
  const heavy = objects.length > 0 || properties.csvMetadata.length > 0
  const content = { objects, csvMetadata: properties.csvMetadata, relatedImages: blob.relatedImages }
  return {
    source,
    package: blob.package,
    bundle: {
      name: blob.name,
      version: main?.version ?? '',
      release: main?.release ?? '',
      image: blob.image,
      properties: properties.properties,
      providedApis: properties.providedApis,
      requiredApis: properties.requiredApis,
      dependencies: properties.dependencies,
      deprecation: undefined,
      content: heavy ? contents.add(joinContent(content)) : undefined,
    },
    objectCount: objects.length,
    packageProperties: properties.packageProperties,
    problems: [
      ...ownFindings(blob, properties).map((finding) => problemOf(finding, 'convert', about)),
      ...servingFindings(properties).map((finding) => problemOf(finding, 'serve', about)),
    ],
  }
}

function readObjects(
  blob: BundleBlob,
  properties: readonly ObjectProperty[],
): { readonly objects: readonly string[]; readonly findings: readonly Finding[] } {
  const objects: string[] = []
  const findings: Finding[] = []
  const prefix = `read bundle objects: package ${quoted(blob.package)}, bundle ${quoted(blob.name)}: `
  // The reference program keeps the data of the object before where an object has none.
  let before = ''
  for (const { index, data, misfit } of properties) {
    const path = ['properties', index, 'value']
    if (misfit !== undefined) {
      const reference = `${prefix}parse property at index ${index} as bundle object: ${misfit}`
      findings.push({ rule: 'bundle-object-invalid', reference, path })
      continue
    }
    if (data !== '') before = data
    const object = objectJson(before)
    if ('json' in object) objects.push(object.json)
    else {
      const reference = `${prefix}convert bundle object property at index ${index} to JSON: ${object.reason}`
      findings.push({ rule: 'bundle-object-invalid', reference, path: [...path, 'data'] })
    }
  }
  return { objects, findings }
}

function ownFindings(blob: BundleBlob, properties: ReadProperties): readonly Finding[] {
  const [name, pkg] = [quoted(blob.name), quoted(blob.package)]
  const findings: Finding[] = properties.misfits.map(({ index, type, message, path }) => ({
    rule: 'property-invalid',
    reference: `parse properties for bundle ${name}: parse property[${index}] of type ${quoted(type)}: ${message}`,
    path: ['properties', index, 'value', ...path],
  }))
  const count = properties.packageProperties.length
  if (count !== 1 && properties.misfits.length === 0) {
    const reference = `package ${pkg} bundle ${name} must have exactly 1 "olm.package" property, found ${count}`
    findings.push({ rule: 'package-property-count', reference, path: ['properties'] })
  }
  const [main] = properties.packageProperties
  if (main !== undefined) findings.push(...mismatchFindings(blob, main))
  findings.push(...imageFindings(blob))
  if (main !== undefined) findings.push(...versionFindings(blob, main))
  return findings
}

function mismatchFindings(blob: BundleBlob, main: PackageProperty): readonly Finding[] {
  if (main.packageName === blob.package) return []
  const reference = `package ${quoted(blob.package)} does not match "olm.package" property ${quoted(main.packageName)}`
  return [{ rule: 'package-property-mismatch', reference, path: packagePath(blob, 'packageName') }]
}

function imageFindings(blob: BundleBlob): readonly Finding[] {
  const place = `package ${quoted(blob.package)} bundle ${quoted(blob.name)}`
  const images: readonly (readonly [string, string, Path])[] = [
    [`${place} image`, blob.image, ['image']],
    ...blob.relatedImages.map(
      ({ image }, index) =>
        [`${place} relatedImages[${index}].image`, image, ['relatedImages', index, 'image']] as const,
    ),
  ]
  return images.flatMap(([where, image, path]): readonly Finding[] => {
    const reason = image === '' ? undefined : imageFault(image)
    if (reason === undefined) return []
    return [{ rule: 'image-invalid', reference: `${where}: invalid image pull spec ${quoted(image)}: ${reason}`, path }]
  })
}

function versionFindings(blob: BundleBlob, main: PackageProperty): readonly Finding[] {
  const name = quoted(blob.name)
  const findings: Finding[] = []
  const version = readVersion(main.version)
  if ('reason' in version) {
    const reference = `error parsing bundle ${name} version ${quoted(main.version)}: ${version.reason}`
    findings.push({ rule: 'version-invalid', reference, path: packagePath(blob, 'version') })
  }
  const release = main.release === '' ? undefined : releaseFault(main.release)
  if (release !== undefined) {
    const reference = `error parsing bundle ${name} release version ${quoted(main.release)}: ${release}`
    findings.push({ rule: 'release-invalid', reference, path: packagePath(blob, 'release') })
  }
  return findings
}

function servingFindings(properties: ReadProperties): readonly Finding[] {
  const count = properties.csvMetadata.length
  if (count < 2) return []
  const reference = `parse properties: expected at most 1 property of type "olm.csv.metadata", found ${count}`
  return [{ rule: 'csv-metadata-several', reference, path: ['properties'] }]
}

function packagePath(blob: BundleBlob, field: string): Path {
  const index = blob.properties.findIndex(({ type }) => type === 'olm.package')
  return ['properties', index, 'value', field]
}

function problemOf(
  { rule, reference, path, message }: Finding,
  stage: Problem['stage'],
  about: Pick<Problem, 'source' | 'package' | 'bundle'>,
): Problem {
  return { stage, rule, message: message ?? reference, reference, path, ...about }
}
