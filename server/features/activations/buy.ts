import { createHash } from 'node:crypto'
import { type Currency, toDecimal } from '#contract/money.ts'
import { SECOND } from '#contract/time.ts'
import {
  badCountry,
  badOperator,
  badService,
  buyingStopped,
  idempotencyConflict,
  inProgress,
  maxPriceTooLow,
  noBalance,
  noNumbers,
  priceChanged,
} from '#server/buying-errors.ts'
import type { Context } from '#server/context.ts'
import { isUniqueViolation } from '#server/db/constraint.ts'
import { blocked } from '#server/errors.ts'
import { type Quote, quote } from '#server/features/catalog/quote.ts'
import { isBlocked } from '#server/features/users/queries.ts'
import { findAccount } from '#server/money/accounts.ts'
import { announceChange } from './announce.ts'
import { askSuppliers } from './ask-suppliers.ts'
import { reserve } from './queries/purchase.ts'
import { findByIdempotencyKey } from './queries/read.ts'
import type { ActivationRow } from './queries/row.ts'

export type Purchase = {
  userId: number
  currency: Currency
  serviceCode: string
  countryId: number
  /** null: any operator. */
  operator: string | null
  /** handler_api lets another operator serve when the wanted one cannot; elsewhere that is NO_NUMBERS. */
  operatorFallback?: boolean
  /** The price that was shown: paying more than this answers PRICE_CHANGED. */
  shownPriceMicros?: bigint | undefined
  /** The buyer's own ceiling: below the lowest price answers MAX_PRICE_TOO_LOW. */
  maxPriceMicros?: bigint | undefined
  /** Numbers that begin with one of these are not wanted. */
  excludedPrefixes?: readonly string[]
  idempotencyKey?: string | undefined
  channel: 'site' | 'handler_api'
}

/**
 * Buys one number: holds the money, asks the suppliers, settles. Returns the activation in state `waiting` and whether
 * this was a repeat of the same key. Throws NO_NUMBERS, NO_BALANCE, PRICE_CHANGED, MAX_PRICE_TOO_LOW, BAD_SERVICE,
 * BAD_COUNTRY, BAD_OPERATOR, BLOCKED, BUYING_STOPPED, IDEMPOTENCY_CONFLICT, IN_PROGRESS; after each of them nothing is held.
 */
export async function buyActivation(
  ctx: Context,
  purchase: Purchase,
): Promise<{ activation: ActivationRow; repeated: boolean }> {
  const inputHash = purchase.idempotencyKey === undefined ? null : hashInput(purchase)
  if (purchase.idempotencyKey !== undefined) {
    const earlier = await repeatOf(ctx, purchase.userId, purchase.idempotencyKey, inputHash)
    if (earlier !== null) return { activation: earlier, repeated: true }
  }
  if (ctx.buying.stopped) throw buyingStopped()
  const offer = findQuote(ctx, purchase)
  const reserved = await hold(ctx, purchase, offer, inputHash)
  if ('earlier' in reserved) return { activation: reserved.earlier, repeated: true }
  ctx.reserving.add(reserved.made.id)
  try {
    const activation = await askSuppliers(ctx, reserved.made, offer.candidates)
    if (activation === null) {
      ctx.metrics.purchases.inc({ result: 'no-numbers' })
      throw noNumbers()
    }
    ctx.metrics.purchases.inc({ result: 'bought' })
    // Not awaited: the buyer's answer must not wait for his other tabs.
    void announceChange(ctx, activation)
    return { activation, repeated: false }
  } finally {
    ctx.reserving.delete(reserved.made.id)
  }
}

function findQuote(ctx: Context, purchase: Purchase): Quote {
  const { serviceCode, countryId, currency } = purchase
  const service = ctx.catalog.services.get(serviceCode)
  if (service === undefined || service.blocked_at !== null) throw badService()
  if (!ctx.catalog.countries.has(countryId)) throw badCountry()
  const asked = quote(ctx.catalog, { serviceCode, countryId, currency, operator: purchase.operator })
  if (asked === 'unknown-operator' && purchase.operatorFallback !== true) throw badOperator()
  const found =
    typeof asked === 'string' && purchase.operatorFallback === true
      ? quote(ctx.catalog, { serviceCode, countryId, currency, operator: null })
      : asked
  if (typeof found === 'string') throw noNumbers()
  if (purchase.maxPriceMicros !== undefined && purchase.maxPriceMicros < found.priceMicros) {
    throw maxPriceTooLow(toDecimal(found.priceMicros))
  }
  if (purchase.shownPriceMicros !== undefined && purchase.shownPriceMicros < found.priceMicros) {
    throw priceChanged(toDecimal(found.priceMicros))
  }
  return found
}

async function hold(
  ctx: Context,
  purchase: Purchase,
  offer: Quote,
  inputHash: string | null,
): Promise<{ made: ActivationRow } | { earlier: ActivationRow }> {
  const now = ctx.clock.now()
  const made = await reserve(ctx.db, {
    userId: purchase.userId,
    serviceCode: purchase.serviceCode,
    countryId: purchase.countryId,
    operatorWanted: purchase.operator,
    priceMicros: offer.priceMicros,
    currency: purchase.currency,
    supplierId: offer.candidates[0].supplierId,
    costLimitMicros: offer.candidates[0].costMicros,
    excludedPrefixes: purchase.excludedPrefixes ?? [],
    channel: purchase.channel,
    idempotencyKey: purchase.idempotencyKey ?? null,
    inputHash,
    now,
    expiresAt: new Date(now.getTime() + ctx.config.activationSeconds * SECOND),
  }).catch((error: unknown) => {
    // Two requests with one key met between look and insert: the other one won.
    if (isUniqueViolation(error, 'activations_idempotency')) return null
    throw error
  })
  if (made !== null) return { made }
  return { earlier: await explainRefusal(ctx, purchase, offer, inputHash) }
}

/** Why nothing was held: an earlier request with the same key, a blocked account, or too little money. */
async function explainRefusal(
  ctx: Context,
  purchase: Purchase,
  offer: Quote,
  inputHash: string | null,
): Promise<ActivationRow> {
  if (purchase.idempotencyKey !== undefined) {
    const earlier = await repeatOf(ctx, purchase.userId, purchase.idempotencyKey, inputHash)
    if (earlier !== null) return earlier
  }
  if (await isBlocked(ctx.db, purchase.userId)) throw blocked()
  const account = await findAccount(ctx.db, purchase.userId)
  const missing = offer.priceMicros - (account?.availableMicros ?? 0n)
  ctx.metrics.purchases.inc({ result: 'no-balance' })
  throw noBalance({ price: toDecimal(offer.priceMicros), missing: toDecimal(missing > 0n ? missing : 0n) })
}

/** The activation an earlier request with this key made; throws what that request was told. */
async function repeatOf(
  ctx: Context,
  userId: number,
  key: string,
  inputHash: string | null,
): Promise<ActivationRow | null> {
  const earlier = await findByIdempotencyKey(ctx.db, { userId, key })
  if (earlier === null) return null
  if (earlier.input_hash !== inputHash) throw idempotencyConflict()
  if (earlier.state === 'reserving') throw inProgress()
  if (earlier.state === 'failed') throw noNumbers()
  return earlier
}

function hashInput(purchase: Purchase): string {
  const { serviceCode, countryId, operator, shownPriceMicros, maxPriceMicros } = purchase
  const input = [serviceCode, countryId, operator, shownPriceMicros?.toString(), maxPriceMicros?.toString()]
  return createHash('sha256').update(JSON.stringify(input)).digest('base64url')
}
