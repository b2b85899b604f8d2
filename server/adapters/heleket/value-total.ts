import type { CoinDeposit } from '#server/adapters/shared/coins/queries.ts'
import {
  type CoinArrival,
  type CoinSource,
  type RestFate,
  sumOf,
  valueCoins,
} from '#server/adapters/shared/coins/value-coins.ts'
import { atMost, type Exact, isLess, minus, NOTHING, scaled, toText } from '#server/adapters/shared/exact-decimal.ts'
import type { KnownPayment } from '#server/core/gateways/gateway.ts'
import type { ReportedCoins } from './reported-coins.ts'

const COIN_PLACES = 18

/** `inTime` counts the coins seen while the rate was valid. `bookedMicros` is the invoice's sum in our books. */
type Sum = {
  uuid: string
  told: ReportedCoins
  total: Exact
  inTime: Exact
  bookedMicros: bigint
  fateOf: (deposit: CoinDeposit) => RestFate
  hasRefundFailed: boolean
}

/**
 * Stores and values an invoice's coins. Heleket reports totals, so each increase becomes a deposit at the rate of its
 * time.
 */
export function valueTotal(source: CoinSource, payment: KnownPayment, sum: Sum): Promise<CoinDeposit[]> {
  const { fateOf, hasRefundFailed } = sum
  const arrivalsOf = (known: readonly CoinDeposit[]) => newOf(sum, payment, known)
  return valueCoins(source, payment, { arrivalsOf, stands: () => true, fateOf, hasRefundFailed })
}

function newOf(sum: Sum, payment: KnownPayment, known: readonly CoinDeposit[]): CoinArrival[] {
  const { uuid: invoice, told, total, inTime } = sum
  const { due, asset } = told
  // If Heleket never named a deposit's coin, later sums are in a different unit, so staff must handle later sums.
  if (known.some(({ given_up_at: givenUpAt }) => givenUpAt !== null)) return []
  if (known.some((one) => one.asset !== asset)) {
    throw new Error('Heleket tells of another coin than before: payment:settle by hand what has come')
  }
  const earlier = known.length === 0 ? bookedBefore(sum, payment) : []
  const before = earlier[0]?.coins ?? sumOf(known, 'coins')
  if (!isLess(before, total)) return earlier
  const coins = minus(total, before)
  const timely = minus(inTime, before)
  const fresh = { coins, inTime: timely.units > 0n ? atMost(timely, coins) : NOTHING, due, asset }
  return [...earlier, { invoice, providerId: `${invoice}:${toText(total)}`, ...fresh }]
}

/** Returns a deposit for a sum that was credited before coins were stored. Such sums got the invoice's rate. */
function bookedBefore({ uuid, told, total, bookedMicros }: Sum, { amountMicros }: KnownPayment): CoinArrival[] {
  if (bookedMicros === 0n) return []
  const { due, asset } = told
  const share = { part: { units: bookedMicros, places: 0 }, whole: { units: amountMicros, places: 0 } }
  const coins = atMost(scaled(due, share, COIN_PLACES), total)
  return [{ invoice: uuid, providerId: `${uuid}:before`, coins, inTime: coins, due, asset, bookedMicros }]
}
