import type { Locale } from '#contract/constants.ts'
import type { Context } from '#server/context.ts'
import { transaction } from '#server/db/transaction.ts'
import { codeTimes, hashCode, makeCode } from '#server/features/emails/code.ts'
import { takeMailTurn } from '#server/features/emails/mail-turn.ts'
import type { Caller } from '#server/http/caller.ts'
import { mailCode } from './mail-code.ts'
import { renewRegistrationCode } from './queries.ts'

/**
 * Mails a new code to an address that waits for one, at most one in 60 s. For any other, and within that time, nothing
 * is sent and nothing is said. Throws TOO_MANY_REQUESTS.
 */
export async function resendCode(ctx: Context, caller: Caller, input: { email: string }): Promise<void> {
  const email = input.email.toLowerCase()
  takeMailTurn(ctx, { address: caller.address, email })
  await renewCode(ctx, { email, locale: caller.locale })
}

/** The same without a turn, for whoever has shown the password. `email` in lower case. */
export async function renewCode(ctx: Context, input: { email: string; locale: Locale }): Promise<void> {
  const { email } = input
  const code = makeCode(ctx)
  const codeHash = hashCode(ctx, { purpose: 'register', email, code })
  await transaction(ctx.db, async (tx) => {
    if (!(await renewRegistrationCode(tx, { email, codeHash, times: codeTimes(ctx) }))) return
    await mailCode(ctx, tx, { ...input, code })
  })
}
