import type { Locale } from '#contract/constants.ts'
import { codeTimes, hashCode, makeCode } from '#server/core/accounts/codes/code.ts'
import { reserveMail, withMailSlot } from '#server/core/accounts/codes/mail-rate-limit.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { networkOf } from '#server/house/http/door/network-of.ts'
import { knownBrowserHash } from './browser-id.ts'
import { mailCode } from './mail-code.ts'
import { renewRegistrationCode } from './queries.ts'

/**
 * Mails a new registration code, unless no registration waits or one was sent within 60 s. Throws TOO_MANY_REQUESTS.
 */
export async function resendCode(
  ctx: Context,
  caller: Caller,
  input: { email: string },
  wire: Wire | undefined,
): Promise<void> {
  const { address, locale } = caller
  await renewCode(ctx, {
    email: input.email.toLowerCase(),
    browserHash: knownBrowserHash(ctx, wire),
    address,
    locale,
  })
}

export async function renewCode(
  ctx: Context,
  input: { email: string; browserHash: Buffer | null; address: string; locale: Locale },
): Promise<void> {
  const { email, browserHash, address } = input
  const slot = await reserveMail(ctx, { address, email, purpose: 'resend' })
  if (slot === null) return
  const code = makeCode(ctx)
  const codeHash = hashCode(ctx, { purpose: 'register', email, code })
  const row = { email, browserHash, network: networkOf(address), codeHash, times: codeTimes(ctx) }
  const work = () =>
    transaction(ctx.db, async (tx) => {
      if (await renewRegistrationCode(tx, row)) await mailCode(ctx, tx, { ...input, code })
      else await slot.giveBack()
    })
  await withMailSlot(slot, work)
}
