import { ANY_OPERATOR } from '#contract/catalog.ts'
import { toDecimal } from '#contract/money.ts'
import type { LastSale } from '#contract/preorder.ts'
import { HOUR, MINUTE } from '#contract/time.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { perContext } from '#server/house/memory.ts'
import { readBehind } from '#server/house/replica/read-behind.ts'
import { findNewestSale } from './queries/read.ts'

const KINDS_REMEMBERED = 5_000
const FRESH_MS = 5 * MINUTE

const salesOf = perContext('last sales', { scope: 'process', nodes: 'own', lost: 'nothing: they are read again' }, () =>
  boundedCache<string, { readAtMs: number; sale: LastSale | null }>(KINDS_REMEMBERED),
)

/**
 * Returns what the newest buyer paid for such a number in the caller's currency; null if nobody bought one lately. The
 * time is a full hour and some minutes old, because exact sales are nobody's business.
 */
export async function findLastSale(
  ctx: Context,
  caller: MemberCaller,
  kind: { service_id: string; country_id: number; operator_id?: string | undefined },
): Promise<LastSale | null> {
  const { service_id: serviceCode, country_id: countryId, operator_id: operator } = kind
  const wanted = {
    serviceCode,
    countryId,
    operator: operator === undefined || operator === ANY_OPERATOR ? null : operator,
    currency: caller.member.currency,
  }
  const key = JSON.stringify(wanted)
  const nowMs = ctx.clock.now().getTime()
  const known = salesOf(ctx).get(key)
  if (known !== undefined && Math.abs(nowMs - known.readAtMs) < FRESH_MS) return known.sale
  const found = await readBehind(ctx, caller, (db) => findNewestSale(db, wanted))
  const at = found === null ? 0 : Math.floor(found.at.getTime() / HOUR) * HOUR
  const sale = found === null ? null : { price: toDecimal(found.price_micros), at: new Date(at).toISOString() }
  salesOf(ctx).set(key, { readAtMs: nowMs, sale })
  return sale
}
