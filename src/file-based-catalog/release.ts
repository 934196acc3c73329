// Releases of bundles: what follows the version where one version is packaged more than once.
import { quoted } from './quoted-text.ts'
import { prereleaseFault } from './semantic-version.ts'

const MAX_LENGTH = 20

/** Why a text is no release, in the reference program's words; undefined where it is one. */
export function releaseFault(text: string): string | undefined {
  if (Buffer.byteLength(text) > MAX_LENGTH) {
    return `invalid release ${quoted(text)}: exceeds maximum length of ${MAX_LENGTH} characters`
  }
  const reasons = text.split('.').flatMap((segment, index) => {
    const reason = prereleaseFault(segment)
    return reason === undefined ? [] : [`segment ${index}: ${reason}`]
  })
  return reasons.length === 0 ? undefined : `invalid release ${quoted(text)}: ${reasons.join('\n')}`
}
