// olm.deprecations blobs: each reference is followed and the message put where it belongs, or the fault told.
import type { CatalogTree, Deprecation, PackageNode } from './catalog-tree.ts'
import { SCHEMA_BUNDLE, SCHEMA_CHANNEL, SCHEMA_PACKAGE } from './declarative-config.ts'
import type { DeprecationsDraft } from './drafts.ts'
import type { BlobSource, Problem, Report } from './problem.ts'
import { quoted } from './quoted-text.ts'

type Entry = DeprecationsDraft['blob']['entries'][number]
type Finding = Pick<Problem, 'rule' | 'reference'> & { readonly reference: string }

export function applyDeprecations(tree: CatalogTree, drafts: readonly DeprecationsDraft[], report: Report): void {
  const seen = new Set<string>()
  for (const [index, draft] of drafts.entries()) {
    const name = draft.blob.package
    const about = { stage: 'convert', source: draft.source, package: name, path: ['package'] } as const
    const finding = blobFinding(tree, name, index, seen)
    if (finding !== undefined) report({ ...about, ...finding, message: finding.reference })
    const pkg = tree.get(name)
    if (pkg !== undefined && !seen.has(name)) applyEntries(pkg, draft, report)
    seen.add(name)
  }
}

function blobFinding(tree: CatalogTree, name: string, index: number, seen: ReadonlySet<string>): Finding | undefined {
  if (name === '') {
    return {
      rule: 'deprecation-package-missing',
      reference: `package name must be set for deprecation item ${index}`,
    }
  }
  if (!tree.has(name)) {
    return {
      rule: 'deprecation-unknown',
      reference: `cannot apply deprecations to an unknown package ${quoted(name)}`,
    }
  }
  if (!seen.has(name)) return undefined
  return {
    rule: 'deprecation-duplicate',
    reference: `expected a maximum of one deprecation per package: ${quoted(name)}`,
  }
}

function applyEntries(pkg: PackageNode, draft: DeprecationsDraft, report: Report): void {
  const references = new Set<string>()
  for (const [index, entry] of draft.blob.entries.entries()) {
    const key = JSON.stringify([entry.reference.schema, entry.reference.name])
    const finding = references.has(key) ? duplicate(pkg, entry) : applyEntry(pkg, entry, index, draft.source)
    references.add(key)
    if (finding === undefined) continue
    const path = ['entries', index, 'reference']
    const about = { stage: 'convert', source: draft.source, package: pkg.draft.name } as const
    report({ ...about, ...finding, message: finding.reference, path })
  }
}

function duplicate(pkg: PackageNode, entry: Entry): Finding {
  const place = `for package ${quoted(pkg.draft.name)}`
  return { rule: 'deprecation-entry-duplicate', reference: `duplicate deprecation entry ${shown(entry)} ${place}` }
}

/** For a deprecation that was applied and says nothing. */
export function emptyDeprecation({ source, path }: Deprecation) {
  const reference = 'invalid deprecation: message must be set'
  return { rule: 'deprecation-message-missing', message: reference, reference, source, path } as const
}

function applyEntry(pkg: PackageNode, entry: Entry, index: number, source: BlobSource): Finding | undefined {
  const { schema, name } = entry.reference
  const packageName = quoted(pkg.draft.name)
  const deprecation = { message: entry.message, source, path: ['entries', index] }
  switch (schema) {
    case '': {
      const reference = `schema must be set for deprecation entry [${index}] for package ${packageName}`
      return { rule: 'deprecation-schema-missing', reference }
    }
    case SCHEMA_BUNDLE: {
      const bundle = pkg.bundles.get(name)
      if (bundle === undefined) return unknown('bundle', name, packageName)
      bundle.deprecation = deprecation
      return undefined
    }
    case SCHEMA_CHANNEL: {
      const channel = pkg.channels.get(name)
      if (channel === undefined) return unknown('channel', name, packageName)
      channel.deprecation = deprecation
      return undefined
    }
    case SCHEMA_PACKAGE: {
      if (name !== '') {
        const reference = `package name must be empty for deprecated package ${packageName} (specified ${quoted(name)})`
        return { rule: 'deprecation-package-named', reference }
      }
      pkg.deprecation = deprecation
      return undefined
    }
    default: {
      const place = `referenced by entry ${index} for package ${packageName}`
      const reference = `cannot deprecate object ${shown(entry)} ${place}: object schema unknown`
      return { rule: 'deprecation-schema-unknown', reference }
    }
  }
}

function unknown(kind: 'bundle' | 'channel', name: string, packageName: string): Finding {
  const reference = `cannot deprecate ${kind} ${quoted(name)} for package ${packageName}: ${kind} not found`
  return { rule: 'deprecation-unknown', reference }
}

function shown({ reference: { schema, name } }: Entry): string {
  return `declcfg.PackageScopedReference{Schema:${quoted(schema)}, Name:${quoted(name)}}`
}
