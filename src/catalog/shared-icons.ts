// Icons by what they are: channels, versions and catalogs mostly show the same one, which is half of a manifest's bytes. Receives
// an icon, hands on the equal one that somebody holds already, else this one. Keeps none alive by itself.
import { hash } from 'node:crypto'
import type { Icon } from '../api/cluster-service-version.ts'

export type ShareIcon = (icon: Icon) => Icon

export function createSharedIcons(): ShareIcon {
  const known = new Map<string, WeakRef<Icon>>()
  const forgotten = new FinalizationRegistry<string>((digest) => {
    if (known.get(digest)?.deref() === undefined) known.delete(digest)
  })
  return (icon) => {
    const digest = hash('sha256', `${icon.mediatype}\n${icon.base64data}`, 'base64')
    const same = known.get(digest)?.deref()
    if (same !== undefined) return same
    known.set(digest, new WeakRef(icon))
    forgotten.register(icon, digest)
    return icon
  }
}
