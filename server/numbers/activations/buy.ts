import { createHash } from 'node:crypto'
import { toDecimal } from '#contract/money.ts'
import { SECOND } from '#contract/time.ts'
import { isBlocked } from '#server/accounts/users/queries.ts'
import {
  buyingStopped,
  idempotencyConflict,
  inProgress,
  noBalance,
  noNumbers,
  noReplacement,
  repeatUnavailable,
} from '#server/buying-errors.ts'
import type { PricedOffer } from '#server/catalog/offers/catalog-index.ts'
import type { Quote } from '#server/catalog/prices/quote.ts'
import type { Context } from '#server/context.ts'
import { isUniqueViolation } from '#server/db/constraint.ts'
import { type AppError, blocked } from '#server/errors.ts'
import { findAccount } from '#server/money/accounts.ts'
import { handOverEarly } from '#server/numbers/delivery/hand-over.ts'
import { explainLimits, limitsOf } from '#server/numbers/limits/limits.ts'
import { ALL_ATTEMPTS_MS } from '#server/numbers/sourcing/ask-in-turn.ts'
import { holdOrExplain } from '#server/numbers/sourcing/hold-or-explain.ts'
import { waitUntilSettled } from '#server/numbers/sourcing/wait-until-settled.ts'
import { announceChange } from './announce.ts'
import { askSuppliers } from './ask-suppliers.ts'
import { cancellableBefore, refusalToGiveBack } from './cancel.ts'
import { findQuote } from './find-quote.ts'
import type { Purchase } from './purchase.ts'
import { type Reservation, reserve } from './queries/purchase.ts'
import { findActivation, findAnyActivation, findByIdempotencyKey } from './queries/read.ts'
import { reserveReplacing } from './queries/replace.ts'
import type { ActivationRow } from './queries/row.ts'

/**
 * Buys one number: holds the money, asks the suppliers, settles. Returns the activation in state `waiting` and whether
 * this was a repeat of the same key. Throws NO_NUMBERS, NO_BALANCE, PRICE_CHANGED, MAX_PRICE_TOO_LOW, BAD_SERVICE,
 * BAD_COUNTRY, BAD_OPERATOR, REPEAT_UNAVAILABLE, BLOCKED, BUYING_STOPPED, IDEMPOTENCY_CONFLICT, IN_PROGRESS, and for the one
 * that is replaced what cancelling it throws; of limits PAIR_PAUSED, TOO_MANY_OPEN_NUMBERS, SPEND_LIMIT_REACHED. After each of them nothing is held for this purchase.
 */
export async function buyActivation(
  ctx: Context,
  purchase: Purchase,
): Promise<{ activation: ActivationRow; repeated: boolean }> {
  const inputHash = purchase.idempotencyKey === undefined ? null : hashInput(purchase)
  const earlier = await findEarlier(ctx, purchase, inputHash)
  if (earlier !== null) return { activation: earlier, repeated: true }
  if (purchase.replaces !== undefined) requireCancellable(ctx, purchase.replaces)
  if (ctx.buying.stopped) throw buyingStopped()
  const offer = findQuote(ctx, purchase)
  const reserved = await holdOrExplain({
    hold: () => hold(ctx, purchase, offer, inputHash),
    explain: () => explainRefusal(ctx, purchase, offer, inputHash),
    otherwise: () => noneFor(purchase),
  })
  if ('earlier' in reserved) return { activation: reserved.earlier, repeated: true }
  const { replaces } = purchase
  if (replaces !== undefined) ctx.background.run('announce', () => announceEnd(ctx, replaces.id))
  const activation = await completePurchase(ctx, reserved.made, offer.candidates, {
    number: purchase.repeats?.phone ?? undefined,
  })
  if (activation === null) throw noneFor(purchase)
  return { activation, repeated: false }
}

/**
 * What follows the hold, whatever was behind it: asks the suppliers, counts, and tells the other tabs. Null as askSuppliers.
 * `reserved` was made by `ctx.reserving.make`, and is not under way any more afterwards.
 */
export async function completePurchase(
  ctx: Context,
  reserved: ActivationRow,
  candidates: readonly PricedOffer[],
  wanted: { number?: string | undefined } = {},
): Promise<ActivationRow | null> {
  try {
    const activation = await askSuppliers(ctx, reserved, candidates, wanted)
    ctx.metrics.purchases.inc({ result: activation === null ? 'no-numbers' : 'bought' })
    if (activation === null) return null
    // Not awaited: the buyer's answer must not wait for his other tabs.
    ctx.background.run('announce', () => announceChange(ctx, activation))
    await handOverEarly(ctx, activation)
    return activation
  } finally {
    ctx.reserving.delete(reserved.id)
  }
}

/** When the time of a number bought now is over. */
export function expiryOf(ctx: Context, now: Date): Date {
  return new Date(now.getTime() + ctx.config.activationSeconds * SECOND)
}

function requireCancellable(ctx: Context, row: ActivationRow): void {
  const now = ctx.clock.now()
  if (row.state !== 'waiting' || row.created_at > cancellableBefore(ctx, now)) throw refusalToGiveBack(ctx, row, now)
}

async function announceEnd(ctx: Context, id: bigint): Promise<void> {
  const row = await findAnyActivation(ctx.db, id)
  if (row !== null) await announceChange(ctx, row)
}

/** Null: nothing was held. */
async function hold(
  ctx: Context,
  purchase: Purchase,
  offer: Quote,
  inputHash: string | null,
): Promise<ActivationRow | null> {
  const now = ctx.clock.now()
  const { replaces } = purchase
  const reservation: Reservation = {
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
    repeatOf: purchase.repeats?.id ?? null,
    limits: limitsOf(ctx, purchase.currency),
    now,
    expiresAt: expiryOf(ctx, now),
  }
  const statement = () =>
    replaces === undefined
      ? reserve(ctx.db, reservation)
      : reserveReplacing(ctx.db, {
          ...reservation,
          replaced: replaces.id,
          createdBefore: cancellableBefore(ctx, now),
        })
  return ctx.reserving.make(now, { statement, idOf: ({ id }) => id }).catch((error: unknown) => {
    // Two requests with one key met between look and insert: the other one won.
    if (isUniqueViolation(error, 'activations_idempotency')) return null
    throw error
  })
}

/**
 * Why nothing was held: an earlier request with this key, a number that cannot be given back, a blocked account, a limit, too little
 * money. Null when none of these is so any more: a payment came, or a limit was lifted in between.
 */
async function explainRefusal(
  ctx: Context,
  purchase: Purchase,
  offer: Quote,
  inputHash: string | null,
): Promise<ActivationRow | null> {
  const earlier = await findEarlier(ctx, purchase, inputHash)
  if (earlier !== null) return earlier
  const { userId, replaces } = purchase
  if (replaces !== undefined) {
    const current = await findActivation(ctx.db, { id: Number(replaces.id), userId })
    if (current?.state !== 'waiting') throw refusalToGiveBack(ctx, current, ctx.clock.now())
  }
  if (await isBlocked(ctx.db, userId)) throw blocked()
  const { priceMicros } = offer
  const limited = await explainLimits(ctx, { ...purchase, priceMicros, besides: replaces?.id ?? null })
  if (limited !== null) {
    ctx.metrics.purchases.inc({ result: 'limit' })
    throw limited
  }
  const account = await findAccount(ctx.db, userId)
  const missing = priceMicros - (account?.availableMicros ?? 0n) - (replaces?.price_micros ?? 0n)
  if (missing <= 0n) return null
  ctx.metrics.purchases.inc({ result: 'no-balance' })
  throw noBalance({ price: toDecimal(priceMicros), missing: toDecimal(missing) })
}

/** The activation an earlier request with this key made, null when there was none; throws what that request was told. */
async function findEarlier(ctx: Context, purchase: Purchase, inputHash: string | null): Promise<ActivationRow | null> {
  const { userId, idempotencyKey: key } = purchase
  if (key === undefined) return null
  const earlier = await findByIdempotencyKey(ctx.db, { userId, key })
  if (earlier === null) return null
  if (purchase.channel === 'handler_api') return outcomeOf(ctx, purchase, { earlier, inputHash })
  if (earlier.input_hash !== inputHash) throw idempotencyConflict()
  if (earlier.state === 'reserving') throw inProgress()
  if (earlier.state === 'failed') throw noneFor(purchase)
  return earlier
}

/**
 * In handler_api a key names an order, and one that fails was never made: so nothing is said of it before that is known.
 * Throws IN_PROGRESS when the purchase is not under way here, and the next sweep will settle it.
 */
async function outcomeOf(
  ctx: Context,
  purchase: Purchase,
  { earlier, inputHash }: { earlier: ActivationRow; inputHash: string | null },
): Promise<ActivationRow> {
  let row: ActivationRow | null = earlier
  if (earlier.state === 'reserving') {
    await waitUntilSettled(ctx.reserving, earlier.id, ALL_ATTEMPTS_MS)
    row = await findAnyActivation(ctx.db, earlier.id)
  }
  if (row === null || row.state === 'failed') throw noneFor(purchase)
  if (row.state === 'reserving') throw inProgress()
  if (row.input_hash !== inputHash) throw idempotencyConflict()
  return row
}

/** What is told when no supplier had a number. */
function noneFor({ replaces, repeats }: Purchase): AppError {
  if (replaces !== undefined) return noReplacement(Number(replaces.id))
  return repeats === undefined ? noNumbers() : repeatUnavailable()
}

function hashInput(purchase: Purchase): string {
  const { serviceCode, countryId, operator, shownPriceMicros, maxPriceMicros, replaces, repeats } = purchase
  const { excludedPrefixes = [], operatorFallback = false } = purchase
  const input = [serviceCode, countryId, operator, shownPriceMicros?.toString(), maxPriceMicros?.toString()]
  // Only where there is one, so that a plain purchase has the same hash as ever.
  if (operatorFallback) input.push('or any operator')
  if (excludedPrefixes.length > 0) input.push(`without ${excludedPrefixes.toSorted().join()}`)
  if (replaces !== undefined) input.push(`replaces ${replaces.id}`)
  if (repeats !== undefined) input.push(`repeats ${repeats.id}`)
  return createHash('sha256').update(JSON.stringify(input)).digest('base64url')
}
