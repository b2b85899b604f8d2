import type { CoinDeposit } from '#server/adapters/shared/coins/queries.ts'
import type { CoinSource, RestFate } from '#server/adapters/shared/coins/value-coins.ts'
import type { KnownPayment } from '#server/core/gateways/gateway.ts'
import type { Refund } from './meanings.ts'
import { listStandingRefunds } from './queries.ts'

/**
 * Decides about coins that wait for a rate while a refund exists. A full refund holds them until Heleket tells how it
 * ended, and then drops them, so refunded money is never credited. A refund that staff recorded holds coins seen before
 * it. Partial refunds hold nothing.
 */
export async function fateOfRests(
  { ctx }: CoinSource,
  { payment: { transactionId }, refund }: { payment: KnownPayment; refund: Refund },
): Promise<(deposit: CoinDeposit) => RestFate> {
  const refunds = await listStandingRefunds(ctx.db, transactionId)
  const whole = refunds.filter(({ is_part: isPart }) => !isPart)
  const isOfParts = refunds.length > 0 && whole.length === 0
  if (!isOfParts && refund === 'done') return () => 'dropped'
  if (!isOfParts && refund === 'under-way') return () => 'held'
  return ({ seen_at: seenAt }) => (whole.some(({ at }) => at >= seenAt) ? 'held' : 'valued')
}
