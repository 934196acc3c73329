// Which names a package can be asked for by: what a registry calls a package becomes a segment of a path. Pure.

/** As long as any Kubernetes object's name may be. */
const LONGEST = 253

/** Why nobody could ask for a package of this name; undefined where everybody can. */
export function packageNameFault(name: string): string | undefined {
  if (name === '') return 'the package has no name'
  if (name.length > LONGEST) return `the package's name is longer than ${LONGEST} characters`
  if (name === '.' || name === '..' || /[/%\\\p{Cc}]/u.test(name))
    return 'no client can ask for a package of this name: it is not one segment of a path'
  return undefined
}

/** The name for logs and statuses, never longer than a name may be. */
export function shownName(name: string): string {
  return name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name
}
