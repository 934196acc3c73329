// Where there is no cluster there are no namespaces, yet kubectl asks for one before it says that a name in it is unknown.
// Any namespace is served, so each one that is asked for is there. Pure.

const NAMESPACE = /^\/api\/v1\/namespaces\/([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)$/

/** The object at this path; undefined where the path is none of a namespace. */
export function namespaceObject(path: string): object | undefined {
  const [, name] = NAMESPACE.exec(path) ?? []
  if (name === undefined) return undefined
  return { kind: 'Namespace', apiVersion: 'v1', metadata: { name }, spec: {}, status: { phase: 'Active' } }
}
