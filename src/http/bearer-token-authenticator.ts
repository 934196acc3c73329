// Who a bearer token belongs to, as somebody else reviews it. Receives that reviewer, hands on an authenticator.
// A token that is not accepted is 401; a reviewer that cannot be asked is 503. The token goes nowhere else.
import type { Authenticator, Identity } from './authentication.ts'
import { serviceUnavailable, unauthorized } from './status.ts'

export interface BearerTokenOptions {
  /** undefined: not accepted. Rejects where it cannot be decided. */
  readonly review: (token: string) => Promise<Identity | undefined>
}

export function bearerTokenAuthenticator({ review }: BearerTokenOptions): Authenticator {
  return async ({ bearerToken }) => {
    if (bearerToken === undefined) return undefined
    const identity = await review(bearerToken).catch(() => {
      throw serviceUnavailable('the token cannot be reviewed now', 1)
    })
    if (identity === undefined) throw unauthorized()
    return identity
  }
}
