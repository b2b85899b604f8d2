import type { Provider } from '#contract/account.ts'
import type { Context } from '#server/context.ts'
import { transaction } from '#server/db/transaction.ts'
import { lastWayIn, notFound } from '#server/errors.ts'
import { deleteIdentity, listIdentities, lockPasswordWay } from './queries.ts'

/**
 * Takes a profile from an account. Throws NOT_FOUND when it has none of that provider, LAST_WAY_IN when nobody could
 * sign in any more: a profile at a provider that is no longer set up is no way in.
 */
export async function unlinkProfile(ctx: Context, input: { userId: number; provider: Provider }): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const byPassword = await lockPasswordWay(tx, input.userId)
    const linked = await listIdentities(tx, input.userId)
    if (!linked.some((one) => one.provider === input.provider)) throw notFound()
    const others = linked.filter((one) => one.provider !== input.provider && ctx.providers[one.provider] !== undefined)
    if (!byPassword && others.length === 0) throw lastWayIn()
    await deleteIdentity(tx, input)
  })
}
