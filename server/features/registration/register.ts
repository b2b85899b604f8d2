import type { z } from 'zod'
import type { registerInputSchema } from '#contract/account.ts'
import type { Context } from '#server/context.ts'
import { transaction } from '#server/db/transaction.ts'
import { checkCaptcha } from '#server/features/captcha/check-captcha.ts'
import { codeTimes, hashCode, makeCode } from '#server/features/emails/code.ts'
import { takeMailTurn } from '#server/features/emails/mail-turn.ts'
import { checkNewPassword } from '#server/features/passwords/check-new-password.ts'
import { hashPassword } from '#server/features/users/password.ts'
import type { Caller } from '#server/http/caller.ts'
import { mailCode } from './mail-code.ts'
import { readReferrerId } from './origin.ts'
import { replaceRegistration } from './queries.ts'

/** Spelled out beside the box as well (product.md section 5). */
const NOT_AGREED = { agree: [{ ru: 'Чтобы продолжить, отметьте согласие', en: 'To continue, check the box' }] }

/**
 * Keeps a registration until its code comes back: only then there is a person. An address that has an account is told so
 * by mail; the answer, and the work behind it, is the same for both. Throws INVALID_INPUT, TOO_MANY_REQUESTS,
 * CAPTCHA_FAILED.
 */
export async function register(
  ctx: Context,
  caller: Caller,
  input: z.output<typeof registerInputSchema>,
): Promise<void> {
  const email = input.email.toLowerCase()
  checkNewPassword({ ...input, email }, input.agree ? {} : NOT_AGREED)
  takeMailTurn(ctx, { address: caller.address, email })
  await checkCaptcha(ctx, input.captcha)
  const passwordHash = await hashPassword(input.password)
  const code = makeCode(ctx)
  await transaction(ctx.db, async (tx) => {
    await replaceRegistration(tx, {
      email,
      passwordHash,
      referrerId: readReferrerId(input.referral_id),
      codeHash: hashCode(ctx, { purpose: 'register', email, code }),
      times: codeTimes(ctx),
    })
    await mailCode(ctx, tx, { email, code, locale: caller.locale })
  })
}
