import type { z } from 'zod'
import type { registerInputSchema } from '#contract/account.ts'
import { checkCaptcha } from '#server/core/accounts/captcha/check-captcha.ts'
import { codeTimes, hashCode, makeCode } from '#server/core/accounts/codes/code.ts'
import { reserveMail, withMailSlot } from '#server/core/accounts/codes/mail-rate-limit.ts'
import { checkNewPassword, newPasswordErrors } from '#server/core/accounts/passwords/check-new-password.ts'
import { hashToken } from '#server/core/accounts/sessions/tokens.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import type { FieldErrors } from '#server/house/errors/errors.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { refuseForeign } from '#server/house/http/refuse-foreign.ts'
import { giveBrowserId, knownBrowserHash, newBrowserId } from './browser-id.ts'
import { hashPendingPassword } from './hash-pending-password.ts'
import { mailCode } from './mail-code.ts'
import { readOrigin, readReferrerId } from './origin.ts'
import { amendRegistration, insertRegistration } from './queries.ts'

const NOT_AGREED = { agree: [wordsOf('field.agree')] }

export function registerErrors(raw: Record<string, unknown>): FieldErrors {
  return { ...newPasswordErrors(raw), ...(raw.agree === false && NOT_AGREED) }
}

/**
 * Stores a pending registration, of which an address may have several; no account exists before a code is confirmed. An
 * address with an account costs the same work and gets the same answer, and its owner gets a mail. Throws
 * INVALID_INPUT, TOO_MANY_REQUESTS, CAPTCHA_FAILED, and FORBIDDEN for a cross-site request.
 */
export async function register(
  ctx: Context,
  caller: Caller,
  input: z.output<typeof registerInputSchema>,
  wire: Wire | undefined,
): Promise<void> {
  refuseForeign(ctx, wire)
  const email = input.email.toLowerCase()
  await checkNewPassword(ctx, { ...input, email }, input.agree ? {} : NOT_AGREED)
  // The captcha is checked before a mail is reserved, because a failed captcha must not use up the owner's mails.
  await checkCaptcha(ctx, input.captcha)
  const slot = await reserveMail(ctx, { address: caller.address, email, purpose: 'register' })
  const origin = readOrigin(wire)
  const id = newBrowserId(ctx)
  const registration = {
    email,
    referrerId: readReferrerId(input.referral_id) ?? origin.referrerId,
    utm: origin.utm,
    browserHash: hashToken(id),
    formerBrowserHash: knownBrowserHash(ctx, wire),
    times: codeTimes(ctx),
  }
  const code = makeCode(ctx)
  await withMailSlot(slot, async () => {
    const passwordHash = await hashPendingPassword(ctx, { key: caller.network }, { email, password: input.password })
    await transaction(ctx.db, async (tx) => {
      if (await amendRegistration(tx, { ...registration, passwordHash })) {
        await slot?.giveBack()
        return
      }
      const codeHash = hashCode(ctx, { purpose: 'register', email, code })
      const { network } = caller
      await insertRegistration(tx, { ...registration, passwordHash, network, codeHash, isMailed: slot !== null })
      if (slot !== null) await mailCode(ctx, tx, { email, code, locale: caller.locale })
    })
  })
  giveBrowserId(ctx, wire, id)
}
