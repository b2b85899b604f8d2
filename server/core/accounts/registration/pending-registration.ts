import type { Locale } from '#contract/constants.ts'
import { hashToken } from '#server/core/accounts/sessions/tokens.ts'
import type { Context } from '#server/house/context.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { Asker } from '#server/house/limits/fair-queue.ts'
import { giveBrowserId, newBrowserId } from './browser-id.ts'
import { hashPendingPassword } from './hash-pending-password.ts'
import { moveRegistration } from './queries.ts'
import { renewCode } from './resend-code.ts'

/**
 * Returns true if a pending registration has this password, and moves it to this browser. Mails a new code if the old
 * one has expired. Every sign-in with a wrong password calls this function, so the answer does not reveal whether the
 * address has an account.
 */
export async function isPendingRegistration(
  ctx: Context,
  input: { asker: Asker; email: string; password: string; address: string; locale: Locale; wire: Wire | undefined },
): Promise<boolean> {
  const email = input.email.trim().toLowerCase()
  const passwordHash = await hashPendingPassword(ctx, input.asker, { email, password: input.password })
  const id = newBrowserId(ctx)
  const browserHash = hashToken(id)
  const found = await moveRegistration(ctx.db, { email, passwordHash, browserHash, now: ctx.clock.now() })
  if (found === null) return false
  giveBrowserId(ctx, input.wire, id)
  const { address, locale } = input
  if (!found.codeIsGood) await renewCode(ctx, { email, browserHash, address, locale })
  return true
}
