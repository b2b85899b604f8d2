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

/** After the end of an invoice its rate holds this long: a payer's wallet and the vendor need a moment. */
export const LATE_AFTER_MS = 3 * MINUTE
/** A thousand million roubles or dollars: the rate or the coin is wrong, and staff have to look. */
export const MOST_MICROS = 1_000_000_000_000_000n

/** A vendor names a coin within moments; after this staff credit it by hand. */
const UNNAMED_FOR_MS = 7 * DAY

/** `rateMaxAgeMs`: an older rate values nothing. */
export type CoinSource = { ctx: Context; gatewayId: number; code: string; rateMaxAgeMs: number }

/** Of an invoice that promised the payment's amount for `due` coins. */
export type CoinArrival = {
  invoice: string
  providerId: string
  coins: Exact
  /** How many of them came before the end. */
  inTime: Exact
  due: Exact
  /** Its letters in `rate:list`; null: the vendor does not name the coin. */
  asset: string | null
  /** Credited before coins were kept: it stays worth that. */
  bookedMicros?: bigint
}

/** What becomes of a rest that waits for a rate: `held` as long as it may go back to its payer, `dropped` when it has. */
export type RestFate = 'valued' | 'held' | 'dropped'

/**
 * Decides for good what coins are worth. Those that came in time have the invoice's rate, up to what was due: all of these
 * together are worth the payment's amount. The rest has the rate of now, or waits for a fresh one. Only deposits that
 * `stands` holds of use up what was due.
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
    /** What was dropped for it waits again. */
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
      // The settings may name another rate than when it came.
      const { asset } = arrivals.find(({ providerId }) => providerId === deposit.provider_id) ?? deposit
      const rest = { deposit: { ...deposit, asset }, currency: payment.currency, since, now, log: ctx.log }
      // Coins that are gone have the rate of the moment at which they are back.
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
  // Less than a cent is not worth a rate: wallets round up.
  const rest = shareOf(asked, minus(coins, quotedCoins), due)
  return { quotedCoins, quotedMicros, restMicros: wholeCents(rest) === 0n ? 0n : null }
}

type Rest = { deposit: CoinDeposit; currency: Currency; since: Date; now: Date; log: Log }

/** What is worth more than can be waits for a right rate, and nothing else of the payment waits with it. */
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

/** The rest has a name of its own, because it may be credited later. */
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

/** The deposit that a credited part is of. */
export function wholeName(providerId: string): string {
  return providerId.endsWith(REST) ? providerId.slice(0, -REST.length) : providerId
}

export function sumOf(deposits: readonly CoinDeposit[], of: 'coins' | 'quoted_coins'): Exact {
  return deposits.reduce((sum, deposit) => plus(sum, deposit[of]), NOTHING)
}

export const isWaiting = ({ rest_micros: rest }: CoinDeposit): boolean => rest === null

/** Staff are told of coins that wait. */
export async function listCoinFaults({ ctx, gatewayId, code }: CoinSource): Promise<GatewayFault[]> {
  const waiting = await findWaiting(ctx.db, gatewayId)
  const kinds = [...(waiting.rate ? (['coin-rate'] as const) : []), ...(waiting.name ? (['coin-name'] as const) : [])]
  return kinds.map((kind) => ({ kind, about: code }))
}
