// The rules for one entry of a channel together with the bundle behind it.
import type { ChannelNode, EntryNode, PackageNode } from './catalog-tree.ts'
import { emptyDeprecation } from './deprecation-rules.ts'
import { lastRead, missingBundle } from './missing-bundles.ts'
import type { Problem, Report } from './problem.ts'
import { quoted } from './quoted-text.ts'
import { readVersion } from './semantic-version.ts'
import { rangeFault } from './version-range.ts'

export function checkEntry(pkg: PackageNode, channel: ChannelNode, entry: EntryNode, report: Report): void {
  const about = { stage: 'check', package: pkg.draft.name, channel: channel.name, bundle: entry.name } as const
  const bundle = pkg.bundles.get(entry.name)
  const inChannel = (rule: Problem['rule'], reference: string, field: string): void => {
    const path = ['entries', entry.index, field]
    report({ ...about, rule, message: reference, reference, source: channel.draft?.source, path })
  }
  const inBundle = (rule: Problem['rule'], reference: string, path: Problem['path']): void => {
    report({ ...about, rule, message: reference, reference, source: bundle?.draft.source, path })
  }

  if (entry.name === '') inChannel('bundle-name-missing', 'name must be set', 'name')
  if (bundle !== undefined) {
    const normal = normalName(pkg, bundle.draft.bundle.version, bundle.draft.bundle.release)
    if (normal !== undefined && normal !== entry.name) {
      const reference = `name ${quoted(entry.name)} does not match normalized name ${quoted(normal)}`
      inBundle('bundle-name-not-normalized', reference, ['name'])
    }
  }
  for (const [index, skip] of entry.skips.entries()) {
    if (skip === '') inChannel('skip-empty', `skip[${index}] is empty`, 'skips')
  }
  const reason = entry.skipRange === '' ? undefined : rangeFault(entry.skipRange)
  if (reason !== undefined) {
    inChannel('skip-range-invalid', `invalid skipRange ${quoted(entry.skipRange)}: ${reason}`, 'skipRange')
  }
  if (bundle === undefined) {
    if (channel === lastRead(pkg)) return
    const reference = ['must be exactly one property with type "olm.package"', 'bundle image must be set']
    report({ ...missingBundle(pkg, channel, entry), stage: 'check', reference })
    return
  }
  if (bundle.draft.bundle.image === '' && bundle.draft.objectCount === 0) {
    inBundle('image-missing', 'bundle image must be set', [])
  }
  if (bundle.deprecation?.message === '') report({ ...about, ...emptyDeprecation(bundle.deprecation) })
  const version = readVersion(bundle.draft.bundle.version)
  if (bundle.draft.bundle.release !== '' && 'value' in version && version.value.build.length > 0) {
    inBundle('build-metadata-with-release', 'cannot use build metadata in version with a release version', [
      'properties',
    ])
  }
}

/** What a bundle with a release must be called; undefined where it has none. */
function normalName(pkg: PackageNode, version: string, release: string): string | undefined {
  return release === '' ? undefined : `${pkg.draft.name}-v${version}-${release}`
}
