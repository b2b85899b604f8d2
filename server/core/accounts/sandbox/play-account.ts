import type { SandboxRecord } from '#contract/formats/play-money.ts'
import { toDecimal } from '#contract/money.ts'
import { MINUTE } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { countedAs, type Member } from '#server/house/http/caller.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { findAccount } from '#server/house/money/accounts.ts'
import { creditPlayMoney } from '#server/house/money/sandbox/play-money.ts'
import { findShadow } from './queries.ts'

/** The rate limit bounds transfers, because each reset that moves play money adds a row that is never deleted. */
const perOwner = createRateLimit({ name: 'resets of play money by an owner', burst: 10, refillMs: 10 * MINUTE })

/** Returns the caller's sandbox account. Throws NOT_FOUND if the caller never made a sandbox key. */
export async function getPlayAccount(ctx: Context, member: Member): Promise<SandboxRecord> {
  const account = await findAccount(ctx.db, await shadowOf(ctx, member))
  if (account === null) throw notFound()
  const { availableMicros, heldMicros, currency } = account
  return { sandbox: true, balance: toDecimal(availableMicros), held: toDecimal(heldMicros), currency }
}

/** Resets the sandbox balance to its initial amount. Throws NOT_FOUND, TOO_MANY_REQUESTS. */
export async function topUpPlayAccount(ctx: Context, member: Member): Promise<SandboxRecord> {
  const userId = await shadowOf(ctx, member)
  const now = ctx.clock.now()
  await perOwner.spend(ctx, String(countedAs(member)))
  if ((await creditPlayMoney(ctx.db, { userId, now })) === null) throw notFound()
  return getPlayAccount(ctx, member)
}

async function shadowOf(ctx: Context, { userId, key }: Member): Promise<number> {
  const shadow = key?.sandbox === true ? userId : await findShadow(ctx.db, userId)
  if (shadow === null) throw notFound()
  return shadow
}
