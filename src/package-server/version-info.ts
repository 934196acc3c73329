// What `/version` and `kubectl version` say of this program, in the members that every Kubernetes server has.
import { VERSION } from '../command-line/version.ts'
import type { VersionInfo } from '../http/served-documents.ts'

/** `build`: what the build of an image knows; nothing is known of a working tree. */
export function versionInfo(build: { readonly commit: string; readonly date: string } = UNBUILT): VersionInfo {
  const [major = '', minor = ''] = VERSION.split('.')
  return {
    major,
    minor,
    gitVersion: `v${VERSION}`,
    gitCommit: build.commit,
    gitTreeState: build.commit === '' ? '' : 'clean',
    buildDate: build.date,
    goVersion: '',
    compiler: `node ${process.version}`,
    platform: `${process.platform}/${ARCHITECTURES[process.arch] ?? process.arch}`,
  }
}

const UNBUILT = { commit: '', date: '1970-01-01T00:00:00Z' }

/** As Go and container images name them. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' }
