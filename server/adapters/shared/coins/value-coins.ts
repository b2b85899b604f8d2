import { wholeCents } from '#contract/formats/payment-terms.ts'
import type { Currency } from '#contract/money.ts'
import { DAY, MINUTE } from '#contract/time.ts'
import { atMost, type Exact, minus, NOTHING, plus, shareOf } from '#server/adapters/shared/exact-decimal.ts'
import type { ArrivedDeposit, GatewayFault, KnownPayment } from '#server/core/gateways/gateway.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import type { Log } from '#server/house/log.ts'
import { findPrice, worthOf } from '#server/house/rates/find-price.ts'
import {
  type CoinDeposit,
  dropRest,
  findWaiting,
  giveUpUnnamed,
  insertCoinDeposit,
  listCoinDeposits,
  lockForCoins,
  reviveRest,
  storeGone,
  storeRest,
} from './queries.ts'

/** The time for which a rate holds after an invoice's end, as wallets and the vendor need a moment. */
export const LATE_AFTER_MS = 3 * MINUTE
/** The highest plausible value of coins. A thousand million means a wrong rate or coin, so staff must check it. */
export const MOST_MICROS = 1_000_000_000_000_000n

/** The time after which staff must credit an unnamed coin by hand. Vendors name a coin within moments. */
const UNNAMED_FOR_MS = 7 * DAY

/** A gateway that receives coins. A rate older than `rateMaxAgeMs` is not used. */
export type CoinSource = { ctx: Context; gatewayId: number; code: string; rateMaxAgeMs: number }

/** Coins received for an invoice, which promised the payment's amount for `due` coins. */
export type CoinArrival = {
  invoice: string
  providerId: string
  coins: Exact
  inTime: Exact
  due: Exact
  /** The coin's name in `rate:list`, or null if the vendor does not name it. */
  asset: string | null
  /** The value already credited for the coins by a release that did not store coins. It never changes. */
  bookedMicros?: bigint
}

/** The fate of coins that wait for a rate: `held` while they may be refunded, `dropped` if they were refunded. */
export type RestFate = 'valued' | 'held' | 'dropped'

/**
 * Decides for good the value of coins. Coins in time get the invoice's rate up to the due sum, which is worth the
 * payment's amount. All others get the present rate, or wait for a fresh one. Only deposits for which `stands` returns
 * true use up the due sum.
 */
export async function valueCoins(
  { ctx, gatewayId, rateMaxAgeMs }: CoinSource,
  payment: KnownPayment,
  {
    arrivalsOf,
    stands,
    fateOf = () => 'valued',
    hasRefundFailed = false,
  }: {
    arrivalsOf: (known: readonly CoinDeposit[]) => readonly CoinArrival[]
    stands: (providerId: string) => boolean
    fateOf?: (deposit: CoinDeposit) => RestFate
    /** True if a refund failed, so that coins dropped for it wait for a rate again. */
    hasRefundFailed?: boolean
  },
): Promise<CoinDeposit[]> {
  const { transactionId } = payment
  const now = ctx.clock.now()
  const seenBefore = new Date(now.getTime() - UNNAMED_FOR_MS)
  for (const deposit of await giveUpUnnamed(ctx.db, { gatewayId, transactionId, seenBefore, now })) {
    ctx.log.warn(
      { payment: transactionId, deposit },
      'coins without a name are waited for no longer: payment:settle by hand',
    )
  }
  return transaction(ctx.db, async (tx) => {
    await lockForCoins(tx, transactionId)
    const known = await listCoinDeposits(tx, { gatewayId, transactionId })
    const arrivals = arrivalsOf(known)
    for (const arrival of arrivals) {
      if (known.some(({ provider_id: providerId }) => providerId === arrival.providerId)) continue
      const used = known.filter(({ invoice, provider_id: id }) => invoice === arrival.invoice && stands(id))
      const quoted = quotedPart(arrival, payment.amountMicros, sumOf(used, 'quoted_coins'))
      const { invoice, providerId, coins, asset } = arrival
      const deposit = { gatewayId, transactionId, invoice, providerId, coins, asset, ...quoted, now }
      known.push(await insertCoinDeposit(tx, deposit))
    }
    const ids = known.map(({ provider_id: id }) => id)
    await storeGone(tx, { gatewayId, transactionId, there: ids.filter(stands), now })
    const since = new Date(now.getTime() - rateMaxAgeMs)
    const valued: CoinDeposit[] = []
    for (const found of known) {
      const deposit = hasRefundFailed && found.dropped_at !== null ? await reviveRest(tx, found) : found
      const fate = deposit.rest_micros === null ? fateOf(deposit) : 'valued'
      if (fate !== 'valued') {
        valued.push(fate === 'held' ? deposit : await dropRest(tx, { deposit, now }))
        continue
      }
      // The settings may name a coin differently than at its arrival, so the present name is used.
      const { asset } = arrivals.find(({ providerId }) => providerId === deposit.provider_id) ?? deposit
      const rest = { deposit: { ...deposit, asset }, currency: payment.currency, since, now, log: ctx.log }
      // Coins that vanished are valued when they are back, by the rate of that time.
      valued.push(stands(deposit.provider_id) ? await valueRest(tx, rest) : deposit)
    }
    return valued
  })
}

type Quoted = { quotedCoins: Exact; quotedMicros: bigint; restMicros: bigint | null }

function quotedPart({ coins, inTime, due, bookedMicros }: CoinArrival, asked: bigint, used: Exact): Quoted {
  if (bookedMicros !== undefined) return { quotedCoins: coins, quotedMicros: bookedMicros, restMicros: 0n }
  const left = minus(due, used)
  const quotedCoins = left.units > 0n ? atMost(atMost(coins, inTime), left) : NOTHING
  const through = (sum: Exact) => shareOf(asked, sum, due)
  const quotedMicros = through(plus(used, quotedCoins)) - through(used)
  // Coins beyond the due sum worth less than a cent need no rate. They arise because wallets round up.
  const rest = shareOf(asked, minus(coins, quotedCoins), due)
  return { quotedCoins, quotedMicros, restMicros: wholeCents(rest) === 0n ? 0n : null }
}

type Rest = { deposit: CoinDeposit; currency: Currency; since: Date; now: Date; log: Log }

/** Values coins that do not get the invoice's rate. An impossibly high value waits for a correct rate. */
async function valueRest(tx: Db, { deposit, currency, since, now, log }: Rest): Promise<CoinDeposit> {
  const { id, asset, coins, quoted_coins: quoted, rest_micros: known } = deposit
  if (known !== null || asset === null) return deposit
  const rate = await findPrice(tx, { asset, currency, since })
  if (rate === null) return deposit
  const rest = minus(coins, quoted)
  const restMicros = worthOf(rest.units, rest.places, rate)
  if (restMicros > MOST_MICROS) {
    log.warn({ deposit: deposit.provider_id, asset }, 'coins are worth more than can be: is the rate right?')
    return deposit
  }
  await storeRest(tx, { id, asset, restMicros, ...rate, now })
  return { ...deposit, rest_micros: restMicros }
}

/**
 * Returns the creditable parts of a deposit: the part with the invoice's rate, and the rest with a present rate. The
 * rest has its own name, because it may be credited later.
 */
export function depositsOf({
  provider_id: id,
  quoted_micros: quoted,
  rest_micros: rest,
}: CoinDeposit): ArrivedDeposit[] {
  return [
    ...(quoted > 0n ? [{ providerId: id, amountMicros: quoted }] : []),
    ...(rest !== null && rest > 0n ? [{ providerId: `${id}${REST}`, amountMicros: rest }] : []),
  ]
}

const REST = ':rest'

export function wholeName(providerId: string): string {
  return providerId.endsWith(REST) ? providerId.slice(0, -REST.length) : providerId
}

export function sumOf(deposits: readonly CoinDeposit[], of: 'coins' | 'quoted_coins'): Exact {
  return deposits.reduce((sum, deposit) => plus(sum, deposit[of]), NOTHING)
}

export const isWaiting = ({ rest_micros: rest }: CoinDeposit): boolean => rest === null

export async function listCoinFaults({ ctx, gatewayId, code }: CoinSource): Promise<GatewayFault[]> {
  const waiting = await findWaiting(ctx.db, gatewayId)
  const kinds = [...(waiting.rate ? (['coin-rate'] as const) : []), ...(waiting.name ? (['coin-name'] as const) : [])]
  return kinds.map((kind) => ({ kind, about: code }))
}
