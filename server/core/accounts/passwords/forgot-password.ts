import { RESET_LINK_MINUTES } from '#contract/mails.ts'
import { MINUTE } from '#contract/time.ts'
import { reserveMail, withMailSlot } from '#server/core/accounts/codes/mail-rate-limit.ts'
import { admitToHashing } from '#server/core/accounts/sessions/admit-to-hashing.ts'
import { isPassword } from '#server/core/accounts/users/password.ts'
import { findUserByEmail } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { insertReset } from './queries.ts'
import { hashResetToken } from './reset-token.ts'

const LINK_LIFETIME_MS = RESET_LINK_MINUTES * MINUTE
const TOKEN_BYTES = 32

/**
 * Mails a reset link, at most one in 60 s; earlier links stay valid. An unknown address costs the same work and gets
 * the same answer. Throws TOO_MANY_REQUESTS, CAPTCHA_FAILED.
 */
export async function forgotPassword(
  ctx: Context,
  caller: Caller,
  input: { email: string; captcha?: string | undefined },
  wire: Wire | undefined,
): Promise<void> {
  const email = input.email.toLowerCase()
  const { captcha } = input
  // The captcha is checked before a mail is reserved, because a failed captcha must not use up the owner's mails.
  const asker = await admitToHashing(ctx, caller, { user: await findUserByEmail(ctx.db, email), captcha, wire })
  const slot = await reserveMail(ctx, { address: caller.address, email, purpose: 'reset' })
  if (slot === null) return
  const token = ctx.random.bytes(TOKEN_BYTES).toString('base64url')
  const now = ctx.clock.now()
  await withMailSlot(slot, async () => {
    // An argon2 hash hides the fraction of a millisecond that queueing a mail takes.
    await isPassword(ctx, asker, '', null)
    await transaction(ctx.db, async (tx) => {
      const user = await findUserByEmail(tx, email)
      const owner = user?.blocked_at === null ? user : null
      await insertReset(tx, {
        email,
        userId: owner?.id ?? null,
        tokenHash: hashResetToken(token),
        now,
        expiresAt: new Date(now.getTime() + LINK_LIFETIME_MS),
      })
      if (owner === null || owner.email === null) return
      const mail = { kind: 'reset-password' as const, url: resetUrl(ctx, { email, token }) }
      await queueMail(ctx, tx, { to: owner.email, locale: owner.locale, mail })
    })
  })
}

/** Returns a reset link with the configured origin, never with the Host header of the request. */
function resetUrl(ctx: Context, query: { email: string; token: string }): string {
  const url = new URL('/check/reset-password', ctx.config.publicUrl)
  url.search = new URLSearchParams(query).toString()
  return url.href
}
