// `Impersonate-*` headers, as a generic API server treats them: for each user, group, uid and extra the caller needs the
// verb `impersonate`; then the request runs as that identity. Never as the caller with the headers ignored.
import type { Identity, RequestFacts } from './authentication.ts'
import { type Authorizer, forbiddenTo, type ResourceAttributes } from './authorization.ts'
import { extraValues, headerText } from './header-text.ts'
import { badRequest } from './status.ts'

export interface ImpersonationOptions {
  readonly authenticate: (facts: RequestFacts) => Promise<Identity>
  readonly authorize: Authorizer
}

const PREFIX = 'impersonate-'
const EXTRA_PREFIX = 'impersonate-extra-'
const AUTHENTICATION_GROUP = { group: 'authentication.k8s.io', version: 'v1' } as const
const ANONYMOUS = 'system:anonymous'
const AUTHENTICATED = 'system:authenticated'
const UNAUTHENTICATED = 'system:unauthenticated'

/** Each question goes to the authorizer: a bound against a request that asks thousands. */
const MOST_QUESTIONS = 1000

interface Wanted {
  readonly user: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

/** Wraps an authenticator: what comes out is the identity that the request runs as. */
export function withImpersonation({
  authenticate,
  authorize,
}: ImpersonationOptions): (facts: RequestFacts) => Promise<Identity> {
  return async (facts) => {
    const caller = await authenticate(facts)
    const wanted = wantedIdentity(facts)
    if (wanted === undefined) return caller
    const questions = impersonationQuestions(wanted)
    if (questions.length > MOST_QUESTIONS) throw badRequest('too many Impersonate- headers')
    for (const question of questions) {
      const decision = await authorize(caller, question)
      if (!decision.allowed) throw forbiddenTo(caller, question, decision.reason)
    }
    return completed(wanted)
  }
}

function wantedIdentity(facts: RequestFacts): Wanted | undefined {
  if (!facts.headerNames().some((name) => name.startsWith(PREFIX))) return undefined
  const lines = (name: string) => facts.headerLines(name).map(headerText)
  const user = lines('impersonate-user')[0] ?? ''
  const uid = lines('impersonate-uid')[0] ?? ''
  const groups = lines('impersonate-group')
  const extra = extraValues(facts, [EXTRA_PREFIX])
  const more = uid !== '' || groups.length > 0 || Object.keys(extra).length > 0
  if (user === '' && more) throw badRequest('Impersonate- headers without impersonating a user name')
  return user === '' ? undefined : { user, uid, groups, extra }
}

export function impersonationQuestions(wanted: Wanted): ResourceAttributes[] {
  const account = serviceAccountOf(wanted.user)
  const questions: ResourceAttributes[] = [
    account === undefined
      ? question({ resource: 'users', name: wanted.user })
      : question({ resource: 'serviceaccounts', ...account }),
  ]
  for (const name of wanted.groups) questions.push(question({ resource: 'groups', name }))
  for (const [subresource, values] of Object.entries(wanted.extra))
    for (const name of values)
      questions.push(question({ resource: 'userextras', subresource, name, ...AUTHENTICATION_GROUP }))
  if (wanted.uid !== '') questions.push(question({ resource: 'uids', name: wanted.uid, ...AUTHENTICATION_GROUP }))
  return questions
}

function question(
  facts: Pick<ResourceAttributes, 'resource' | 'name'> & Partial<ResourceAttributes>,
): ResourceAttributes {
  return {
    kind: 'resource',
    verb: 'impersonate',
    group: '',
    version: '',
    subresource: '',
    namespace: '',
    labelRequirements: [],
    fieldRequirements: [],
    ...facts,
  }
}

/** `system:serviceaccount:NAMESPACE:NAME` is asked for as that object, not as a user. */
function serviceAccountOf(user: string): { readonly namespace: string; readonly name: string } | undefined {
  const parts = /^system:serviceaccount:(?<namespace>[a-z0-9-]{1,63}):(?<name>[a-z0-9.-]{1,253})$/.exec(user)?.groups
  if (parts?.namespace === undefined || parts.name === undefined) return undefined
  return { namespace: parts.namespace, name: parts.name }
}

/** The groups that follow from being somebody, where the headers do not name them. */
function completed(wanted: Wanted): Identity {
  const account = serviceAccountOf(wanted.user)
  const groups =
    account !== undefined && wanted.groups.length === 0
      ? ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`]
      : wanted.groups
  if (wanted.user === ANONYMOUS) return { ...wanted, groups: including(groups, UNAUTHENTICATED) }
  return { ...wanted, groups: groups.includes(UNAUTHENTICATED) ? groups : including(groups, AUTHENTICATED) }
}

function including(groups: readonly string[], group: string): readonly string[] {
  return groups.includes(group) ? groups : [...groups, group]
}
