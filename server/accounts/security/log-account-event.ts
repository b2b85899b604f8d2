import type { Context } from '#server/context.ts'
import { networkOf } from '#server/http/door/network-of.ts'

/** What happens to an account: how somebody came in, and what changed about how he does. */
export type AccountEvent =
  | 'registered'
  | 'signed-in'
  | 'signed-out'
  | 'session-ended'
  | 'identity-confirmed'
  | 'two-factor-on'
  | 'two-factor-off'
  | 'recovery-code-used'
  | 'recovery-codes-renewed'
  | 'password-changed'
  | 'password-reset'
  | 'email-changed'
  | 'profile-linked'
  | 'profile-unlinked'

/** One line: who, what and from which network (an IPv6 one as /64). Never an address of a mail, a code or a token. */
export function logAccountEvent(
  ctx: Context,
  { event, userId, address }: { event: AccountEvent; userId: number; address: string },
): void {
  ctx.log.info({ event, userId, network: networkOf(address) }, 'account')
}
