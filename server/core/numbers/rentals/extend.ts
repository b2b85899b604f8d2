import { RENT_PERIODS_HOURS } from '#contract/constants.ts'
import { type Currency, toDecimal } from '#contract/money.ts'
import type { ExtensionsReply } from '#contract/rental.ts'
import { HOUR } from '#contract/time.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import { priceExtension } from '#server/core/catalog/prices/rent-quote.ts'
import { limitsOf } from '#server/core/numbers/limits/limits.ts'
import { throwHoldRefusal } from '#server/core/numbers/limits/throw-hold-refusal.ts'
import { requireBuying } from '#server/core/numbers/sourcing/buying-stopped.ts'
import { holdOnce, type Keyed, type Repeat } from '#server/core/numbers/sourcing/hold-once.ts'
import { rentingOf } from '#server/core/numbers/sourcing/under-way.ts'
import type { Context } from '#server/house/context.ts'
import {
  activationEnded,
  extendUnavailable,
  idempotencyConflict,
  inProgress,
  priceChanged,
} from '#server/house/errors/buying-errors.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { announceRental } from './announce.ts'
import { askExtension } from './ask-extension.ts'
import { type ExtendedRental, findExtensionByKey, reserveExtension } from './queries/extend.ts'
import { findAnyRental, findRental } from './queries/read.ts'
import type { RentalRow } from './queries/row.ts'
import { MAX_TOTAL_MS } from './times.ts'

export type Extending = {
  rentalId: number
  userId: number
  currency: Currency
  hours: number
  /** The price that the buyer saw. The extension fails with PRICE_CHANGED if the current price is higher. */
  shownPriceMicros?: bigint | undefined
  idempotencyKey?: string | undefined
  apiKeyId?: number | null
}

/**
 * Extends a rental at the current price of its supplier and operator: holds the money, requests the extension and
 * captures the money. Throws NOT_FOUND, ACTIVATION_ENDED, EXTEND_UNAVAILABLE, PRICE_CHANGED, NO_BALANCE, BLOCKED,
 * BUYING_STOPPED, SPEND_LIMIT_REACHED or IDEMPOTENCY_CONFLICT; then no money is held. Throws IN_PROGRESS while an
 * extension is in progress, whose money stays held for at most ten minutes (purchase/rental-orphans.ts).
 */
export async function extendRental(ctx: Context, extending: Extending): Promise<RentalRow> {
  const { rentalId, hours, shownPriceMicros } = extending
  const { earlier, held } = await holdOnce({
    key: extending.idempotencyKey,
    input: [rentalId, hours, shownPriceMicros?.toString()],
    keyIndex: 'charges_idempotency',
    earlier: (repeat) => findEarlier(ctx, extending, repeat),
    price: () => priceExtending(ctx, extending),
    hold: (priced, keyed) => hold(ctx, extending, { priced, keyed }),
    explain: ({ offer }) => explainUnextended(ctx, extending, offer.priceMicros),
    none: extendUnavailable,
  })
  return earlier ?? settle(ctx, held)
}

/**
 * Returns the extended rental if an earlier request had the same idempotency key, or null if none had. Throws that
 * request's error.
 */
async function findEarlier(ctx: Context, extending: Extending, { key, inputHash }: Repeat): Promise<RentalRow | null> {
  const { userId } = extending
  const earlier = await findExtensionByKey(ctx.db, { userId, key })
  if (earlier === null) return null
  if (earlier.input_hash !== inputHash) throw idempotencyConflict()
  if (earlier.money === 'held') throw inProgress()
  if (earlier.money === 'released') throw extendUnavailable()
  return findRental(ctx.db, { id: extending.rentalId, userId })
}

type Priced = { rental: RentalRow; offer: { priceMicros: bigint; costMicros: bigint } }

async function priceExtending(ctx: Context, extending: Extending): Promise<Priced> {
  const rental = await requireLive(ctx, extending)
  requireBuying(ctx)
  const offer = offerOf(ctx, rental, extending)
  if (offer === null) throw extendUnavailable()
  if (extending.shownPriceMicros !== undefined && extending.shownPriceMicros < offer.priceMicros) {
    throw priceChanged(toDecimal(offer.priceMicros))
  }
  return { rental, offer }
}

async function requireLive(ctx: Context, { rentalId, userId }: Extending): Promise<RentalRow> {
  const rental = await findRental(ctx.db, { id: rentalId, userId })
  if (rental === null) throw notFound()
  if (rental.state === 'reserving') throw inProgress()
  if (rental.state !== 'active' || rental.expires_at <= ctx.clock.now()) throw activationEnded()
  if (rental.extension_id !== null) throw inProgress()
  return rental
}

async function hold(
  ctx: Context,
  extending: Extending,
  { priced: { rental, offer }, keyed }: { priced: Priced; keyed: Keyed },
): Promise<ExtendedRental | null> {
  const now = ctx.clock.now()
  const extension = {
    ...keyed,
    rentalId: rental.id,
    userId: extending.userId,
    hours: extending.hours,
    priceMicros: offer.priceMicros,
    currency: extending.currency,
    costLimitMicros: offer.costMicros,
    apiKeyId: extending.apiKeyId ?? null,
    limits: limitsOf(ctx, extending.currency),
    nodeId: nodeOf(ctx).id,
    now,
  }
  return rentingOf(ctx).make(now, () => reserveExtension(ctx.db, extension))
}

/** Throws why the extension was refused: the rental may have ended, or another request may be extending it. */
async function explainUnextended(ctx: Context, extending: Extending, priceMicros: bigint): Promise<void> {
  const { service_code: serviceCode, country_id: countryId } = await requireLive(ctx, extending)
  await throwHoldRefusal(ctx, { ...extending, serviceCode, countryId, priceMicros, opensNumber: false })
}

async function settle(ctx: Context, held: ExtendedRental): Promise<RentalRow> {
  try {
    const outcome = await askExtension(ctx, held)
    if (outcome === 'refused') throw extendUnavailable()
    const rental = typeof outcome === 'string' ? await findAnyRental(ctx.db, held.id) : outcome
    if (rental === null) throw notFound()
    ctx.background.run('announce', () => announceRental(ctx, rental, { paid: true }))
    if (outcome === 'open') throw inProgress()
    return rental
  } finally {
    rentingOf(ctx).delete(held.id)
  }
}

/** Lists the possible extensions of a rental; none if it has ended or cannot be extended. Throws NOT_FOUND. */
export async function listExtensions(
  ctx: Context,
  input: { rentalId: number; userId: number; currency: Currency },
): Promise<ExtensionsReply> {
  const rental = await findRental(ctx.db, { id: input.rentalId, userId: input.userId })
  if (rental === null) throw notFound()
  const periods = RENT_PERIODS_HOURS.flatMap((period) => {
    const offer = rental.state === 'active' ? offerOf(ctx, rental, { hours: period, currency: input.currency }) : null
    if (offer === null) return []
    const until = new Date(rental.expires_at.getTime() + period * HOUR)
    return [{ period, price: toDecimal(offer.priceMicros), until: until.toISOString() }]
  })
  return { status: true, data: { currency: input.currency, periods } }
}

/** Returns null if no offer has this length or the rental would become too long. */
function offerOf(ctx: Context, rental: RentalRow, wanted: { hours: number; currency: Currency }) {
  const { hours, currency } = wanted
  if (rental.operator === null) return null
  const untilMs = rental.expires_at.getTime() + hours * HOUR
  if (untilMs > ctx.clock.now().getTime() + MAX_TOTAL_MS) return null
  const offer = priceExtension(rentCatalogOf(ctx), {
    supplierId: rental.supplier_id,
    serviceCode: rental.service_code,
    countryId: rental.country_id,
    operator: rental.operator,
    hours,
    currency,
  })
  // The cost of a rental is a sum in one currency, so the offer must have the same currency.
  return offer === null || offer.costCurrency !== rental.cost_currency ? null : offer
}
