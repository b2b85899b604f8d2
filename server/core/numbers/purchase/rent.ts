import { type Currency, toDecimal } from '#contract/money.ts'
import { HOUR } from '#contract/time.ts'
import { type PricedRentOffer, rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import { quoteRent } from '#server/core/catalog/prices/rent-quote.ts'
import { requireKind } from '#server/core/catalog/prices/require-kind.ts'
import { type RoutedRentQuote, routeRentQuote } from '#server/core/catalog/routing/route-quote.ts'
import { handOverEarly } from '#server/core/numbers/delivery/hand-over.ts'
import { explainUnheld } from '#server/core/numbers/limits/explain-unheld.ts'
import { limitsOf, MAX_HOLDS } from '#server/core/numbers/limits/limits.ts'
import { openNumber } from '#server/core/numbers/limits/open-number.ts'
import { CANCEL_MS, warnAt } from '#server/core/numbers/rentals/times.ts'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import { sourceNumber } from '#server/core/numbers/sourcing/source-number.ts'
import { rentingOf } from '#server/core/numbers/sourcing/under-way.ts'
import type { Context } from '#server/house/context.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import {
  badOperator,
  buyingStopped,
  idempotencyConflict,
  inProgress,
  noNumbers,
  priceChanged,
} from '#server/house/errors/buying-errors.ts'
import { hashParts } from '#server/house/hash-parts.ts'
import { announceRental } from '../rentals/announce.ts'
import { RENTAL_ORDER } from '../rentals/order.ts'
import { findRentalByKey } from '../rentals/queries/read.ts'
import { type RentReservation, reserveRental } from '../rentals/queries/reserve.ts'
import type { RentalRow } from '../rentals/queries/row.ts'

export type Renting = {
  userId: number
  currency: Currency
  /** A code, or `full`. */
  serviceCode: string
  countryId: number
  hours: number
  /** null: any operator. */
  operator: string | null
  /** A higher price now answers PRICE_CHANGED. */
  shownPriceMicros?: bigint | undefined
  idempotencyKey?: string | undefined
  /** Null: not by a key. */
  apiKeyId?: number | null
  channel: 'site' | 'handler_api' | 'five_sim'
}

/**
 * Rents one number: holds the money, asks the suppliers, settles. Returns the rental in state `active`. Throws
 * NO_NUMBERS, NO_BALANCE, PRICE_CHANGED, BAD_SERVICE, BAD_COUNTRY, BAD_OPERATOR, BLOCKED, BUYING_STOPPED,
 * IDEMPOTENCY_CONFLICT, IN_PROGRESS, PAIR_PAUSED, TOO_MANY_OPEN_NUMBERS, SPEND_LIMIT_REACHED, and TOO_MANY_REQUESTS and
 * SANDBOX_FULL in the sandbox; then nothing is held.
 */
export async function rentNumber(ctx: Context, renting: Renting): Promise<RentalRow> {
  const inputHash = renting.idempotencyKey === undefined ? null : hashInput(renting)
  const earlier = await findEarlier(ctx, renting, inputHash)
  if (earlier !== null) return earlier
  if (buyingOf(ctx).stopped) throw buyingStopped()
  const offer = quoteRenting(ctx, renting)
  for (let round = 0; round < MAX_HOLDS; round += 1) {
    const wanted = { userId: renting.userId, kind: 'rental', replaces: false } as const
    const reserved = await openNumber(ctx, wanted, () => hold(ctx, renting, { offer, inputHash }))
    if (reserved !== null) return completeRental(ctx, reserved, offer.candidates)
    const sameKey = await findEarlier(ctx, renting, inputHash)
    if (sameKey !== null) return sameKey
    await explainUnheld(ctx, { ...renting, priceMicros: offer.priceMicros, opensNumber: true })
  }
  throw noNumbers()
}

async function completeRental(
  ctx: Context,
  reserved: RentalRow,
  candidates: readonly PricedRentOffer[],
): Promise<RentalRow> {
  try {
    const rental = await sourceNumber(ctx, RENTAL_ORDER, { reserved, candidates })
    ctx.metrics.purchases.inc({ result: rental === null ? 'no-numbers' : 'rented' })
    if (rental === null) throw noNumbers()
    // Not awaited: the answer must not wait for other tabs.
    ctx.background.run('announce', () => announceRental(ctx, rental, { paid: true }))
    await handOverEarly(ctx, rental)
    return rental
  } finally {
    rentingOf(ctx).delete(reserved.id)
  }
}

function quoteRenting(ctx: Context, renting: Renting): RoutedRentQuote {
  requireKind(ctx, renting)
  const found = quoteRent(rentCatalogOf(ctx), renting)
  if (found === 'unknown-operator') throw badOperator()
  if (found === 'out-of-stock') throw noNumbers()
  if (renting.shownPriceMicros !== undefined && renting.shownPriceMicros < found.priceMicros) {
    throw priceChanged(toDecimal(found.priceMicros))
  }
  return routeRentQuote(ctx, found, renting.userId)
}

type Held = { offer: RoutedRentQuote; inputHash: string | null }

async function hold(ctx: Context, renting: Renting, { offer, inputHash }: Held): Promise<RentalRow | null> {
  const now = ctx.clock.now()
  const expiresAt = new Date(now.getTime() + renting.hours * HOUR)
  const [first] = offer.candidates
  const reservation: RentReservation = {
    userId: renting.userId,
    serviceCode: renting.serviceCode,
    countryId: renting.countryId,
    operatorWanted: renting.operator,
    hours: renting.hours,
    priceMicros: offer.priceMicros,
    currency: renting.currency,
    supplierId: first.supplierId,
    costLimitMicros: first.costMicros,
    costCurrency: first.currency,
    channel: renting.channel,
    apiKeyId: renting.apiKeyId ?? null,
    idempotencyKey: renting.idempotencyKey ?? null,
    inputHash,
    route: offer.route,
    limits: limitsOf(ctx, renting.currency),
    now,
    cancelUntil: new Date(now.getTime() + CANCEL_MS),
    expiresAt,
    warnAt: warnAt(expiresAt, renting.hours),
  }
  const statement = () => reserveRental(ctx.db, reservation)
  return rentingOf(ctx)
    .make(now, { statement, idOf: ({ id }) => id })
    .catch((error: unknown) => {
      // A concurrent request with the same key won.
      if (isUniqueViolation(error, 'rentals_idempotency')) return null
      throw error
    })
}

/** null: the key is new. Throws what the earlier request was told. */
async function findEarlier(ctx: Context, renting: Renting, inputHash: string | null): Promise<RentalRow | null> {
  const { userId, idempotencyKey: key } = renting
  if (key === undefined) return null
  const earlier = await findRentalByKey(ctx.db, { userId, key })
  if (earlier === null) return null
  if (earlier.input_hash !== inputHash) throw idempotencyConflict()
  if (earlier.state === 'reserving') throw inProgress()
  if (earlier.state === 'failed') throw noNumbers()
  return earlier
}

function hashInput(renting: Renting): string {
  const { serviceCode, countryId, hours, operator, shownPriceMicros } = renting
  const input = [serviceCode, countryId, hours, operator, shownPriceMicros?.toString()]
  return hashParts(input)
}
