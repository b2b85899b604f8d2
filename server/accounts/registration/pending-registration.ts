import type { Locale } from '#contract/constants.ts'
import { hashToken } from '#server/accounts/sessions/tokens.ts'
import type { Context } from '#server/context.ts'
import type { Wire } from '#server/http/call.ts'
import type { Asker } from '#server/http/door/fair-queue.ts'
import { giveBrowserId, newBrowserId } from './browser-id.ts'
import { hashPendingPassword } from './hash-pending-password.ts'
import { moveRegistration } from './queries.ts'
import { renewCode } from './resend-code.ts'

/**
 * Whether this is the password of a registration whose address is not proved yet: then its owner is sent to his code
 * (EMAIL_NOT_VERIFIED), a fresh one if the last has died, and this browser holds the registration from now on. One
 * password is hashed in any case.
 *
 * A sign-in asks this whenever the password is not that of an account, whether the address has an account or not: an
 * address that has one gets a registration too when somebody registers it, and must answer like one that has none.
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
