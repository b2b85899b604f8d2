import type { Context } from '#server/house/context.ts'
import { networkOf } from '#server/house/http/door/network-of.ts'

export type AccountEvent =
  | 'registered'
  | 'guest-began'
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
  | 'passkey-added'
  | 'passkey-removed'
  | 'passkey-counted-back'
  | 'data-asked-for'
  | 'deletion-asked-for'
  | 'deletion-cancelled'

/** Logs user id, event and network (IPv6 as /64), but never an e-mail address, a code or a token. */
export function logAccountEvent(
  ctx: Context,
  { event, userId, address }: { event: AccountEvent; userId: number; address: string },
): void {
  ctx.log.info({ event, userId, network: networkOf(address) }, 'account')
}
