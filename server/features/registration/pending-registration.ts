import type { Locale } from '#contract/constants.ts'
import type { Context } from '#server/context.ts'
import { isPassword } from '#server/features/users/password.ts'
import { findRegistration } from './queries.ts'
import { renewCode } from './resend-code.ts'

/**
 * Whether this is the password of a registration whose address is not proved yet: then its owner is sent to his code
 * (EMAIL_NOT_VERIFIED), a fresh one if the last has died. One password is hashed in any case.
 *
 * A sign-in asks this whenever the password is not that of an account, whether the address has an account or not: an
 * address that has one gets a registration too when somebody registers it, and must answer like one that has none.
 */
export async function isPendingRegistration(
  ctx: Context,
  input: { email: string; password: string; locale: Locale },
): Promise<boolean> {
  const email = input.email.trim().toLowerCase()
  const found = await findRegistration(ctx.db, { email, now: ctx.clock.now() })
  const right = await isPassword(input.password, found?.passwordHash ?? null)
  if (found === null || !right) return false
  if (!found.codeIsGood) await renewCode(ctx, { email, locale: input.locale })
  return true
}
