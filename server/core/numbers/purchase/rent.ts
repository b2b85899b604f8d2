import { type Currency, toDecimal } from '#contract/money.ts'
import { HOUR } from '#contract/time.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import { quoteRent } from '#server/core/catalog/prices/rent-quote.ts'
import { requireKind } from '#server/core/catalog/prices/require-kind.ts'
import { type RoutedRentQuote, routeRentQuote } from '#server/core/catalog/routing/route-quote.ts'
import { limitsOf } from '#server/core/numbers/limits/limits.ts'
import { openNumber } from '#server/core/numbers/limits/open-number.ts'
import { throwHoldRefusal } from '#server/core/numbers/limits/throw-hold-refusal.ts'
import { CANCEL_MS, warnAt } from '#server/core/numbers/rentals/times.ts'
import { requireBuying } from '#server/core/numbers/sourcing/buying-stopped.ts'
import { holdOnce, type Keyed, type Repeat } from '#server/core/numbers/sourcing/hold-once.ts'
import { rentingOf } from '#server/core/numbers/sourcing/under-way.ts'
import type { Context } from '#server/house/context.ts'
import {
  badOperator,
  idempotencyConflict,
  inProgress,
  noNumbers,
  priceChanged,
} from '#server/house/errors/buying-errors.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { RENTAL_ORDER } from '../rentals/order.ts'
import { findRentalByKey } from '../rentals/queries/read.ts'
import { type RentReservation, reserveRental } from '../rentals/queries/reserve.ts'
import type { RentalRow } from '../rentals/queries/row.ts'
import { completeOrder } from './complete-order.ts'

export type Renting = {
  userId: number
  currency: Currency
  /** The code of a service, or `full` for all services. */
  serviceCode: string
  countryId: number
  hours: number
  operator: string | null
  /** The price that the buyer saw. The rental fails with PRICE_CHANGED if the current price is higher. */
  shownPriceMicros?: bigint | undefined
  idempotencyKey?: string | undefined
  apiKeyId?: number | null
  channel: 'site' | 'handler_api' | 'five_sim'
}

/**
 * Rents one number: holds the money, tries the suppliers and settles. Returns the rental in the state `active`. Throws
 * NO_NUMBERS, NO_BALANCE, PRICE_CHANGED, BAD_SERVICE, BAD_COUNTRY, BAD_OPERATOR, BLOCKED, BUYING_STOPPED,
 * IDEMPOTENCY_CONFLICT, IN_PROGRESS, PAIR_PAUSED, TOO_MANY_OPEN_NUMBERS or SPEND_LIMIT_REACHED. In the sandbox also
 * throws TOO_MANY_REQUESTS and SANDBOX_FULL. After IN_PROGRESS money is held, after other errors none.
 */
export async function rentNumber(ctx: Context, renting: Renting): Promise<RentalRow> {
  const { serviceCode, countryId, hours, operator, shownPriceMicros } = renting
  const { earlier, priced, held } = await holdOnce({
    key: renting.idempotencyKey,
    input: [serviceCode, countryId, hours, operator, shownPriceMicros?.toString()],
    keyIndex: 'rentals_idempotency',
    earlier: (repeat) => findEarlier(ctx, renting, repeat),
    price: () => priceRenting(ctx, renting),
    hold: (offer, keyed) => holdRental(ctx, renting, { offer, keyed }),
    explain: ({ priceMicros }) => throwHoldRefusal(ctx, { ...renting, priceMicros, opensNumber: true }),
    none: noNumbers,
  })
  if (earlier !== null) return earlier
  const rental = await completeOrder(ctx, RENTAL_ORDER, { reserved: held, candidates: priced.candidates })
  if (rental === null) throw noNumbers()
  return rental
}

/** Returns the rental of an earlier request with the same idempotency key, or null. Throws that request's error. */
async function findEarlier(ctx: Context, renting: Renting, { key, inputHash }: Repeat): Promise<RentalRow | null> {
  const earlier = await findRentalByKey(ctx.db, { userId: renting.userId, key })
  if (earlier === null) return null
  if (earlier.input_hash !== inputHash) throw idempotencyConflict()
  if (earlier.state === 'reserving') throw inProgress()
  if (earlier.state === 'failed') throw noNumbers()
  return earlier
}

function priceRenting(ctx: Context, renting: Renting): RoutedRentQuote {
  requireBuying(ctx)
  requireKind(ctx, renting)
  const found = quoteRent(rentCatalogOf(ctx), renting)
  if (found === 'unknown-operator') throw badOperator()
  if (found === 'out-of-stock') throw noNumbers()
  if (renting.shownPriceMicros !== undefined && renting.shownPriceMicros < found.priceMicros) {
    throw priceChanged(toDecimal(found.priceMicros))
  }
  return routeRentQuote(ctx, found, renting.userId)
}

type Terms = { offer: RoutedRentQuote; keyed: Keyed }

async function holdRental(ctx: Context, renting: Renting, terms: Terms): Promise<RentalRow | null> {
  const wanted = { userId: renting.userId, kind: 'rental', replaces: false } as const
  return openNumber(ctx, wanted, () => hold(ctx, renting, terms))
}

async function hold(ctx: Context, renting: Renting, { offer, keyed }: Terms): Promise<RentalRow | null> {
  const now = ctx.clock.now()
  const expiresAt = new Date(now.getTime() + renting.hours * HOUR)
  const [first] = offer.candidates
  const reservation: RentReservation = {
    ...keyed,
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
    route: offer.route,
    limits: limitsOf(ctx, renting.currency),
    nodeId: nodeOf(ctx).id,
    now,
    cancelUntil: new Date(now.getTime() + CANCEL_MS),
    expiresAt,
    warnAt: warnAt(expiresAt, renting.hours),
  }
  return rentingOf(ctx).make(now, () => reserveRental(ctx.db, reservation))
}
