import type { Locale } from '#contract/constants.ts'
import { type Currency, toDecimal } from '#contract/money.ts'
import { MAX_OPEN_PAYMENTS } from '#contract/payment.ts'
import { MINUTE } from '#contract/time.ts'
import { findUser, isBlocked } from '#server/core/accounts/users/queries.ts'
import type { Gateway, PaymentSystem } from '#server/core/gateways/gateway.ts'
import type { Zone } from '#server/house/config/zones.ts'
import type { Context } from '#server/house/context.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { idempotencyConflict } from '#server/house/errors/buying-errors.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import { blocked, invalidInput } from '#server/house/errors/errors.ts'
import { badPaymentSystem, tooManyPayments } from '#server/house/errors/payment-errors.ts'
import { hashParts } from '#server/house/hash-parts.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { lockAccount } from '#server/house/money/move-money.ts'
import { announcePayment } from '../announce.ts'
import { promiseBonus } from '../bonus-rules.ts'
import { lockOpenBySystem } from '../queries/open-payment.ts'
import { findPaymentByKey, insertPayment, type PaymentRow, type Press } from '../queries/payments.ts'
import { offeredSystem } from '../systems.ts'
import { askToBegin, firstCheckAt, isBeingAsked } from './ask-to-begin.ts'
import { checkFirstDays } from './first-days.ts'
import { takeUpOpen } from './take-up-open.ts'

export type PaymentWish = {
  userId: number
  currency: Currency
  zone: Zone
  locale: Locale
  system: string
  amountMicros: bigint
  /** The network of whoever asks. */
  network: string
  /** Where the payer comes back to. */
  origin: string
  idempotencyKey?: string | undefined
}

/** Each payment is a call of the gateway, and card thieves try one card after the other. */
const perUser = createRateLimit({ name: 'payments of a user', burst: 15, refillMs: 4 * MINUTE })
const perNetwork = createRateLimit({ name: 'payments of a network', burst: 60, refillMs: MINUTE })
/** Fewer than a thief's list of cards; one network of a carrier may still have several payers. */
const cardsPerNetwork = createRateLimit({ name: 'card payments of a network', burst: 20, refillMs: 5 * MINUTE })

/**
 * The row is committed before the gateway is called, so whatever arrives finds it. A repeated key begins no second payment.
 * Throws BAD_PAYMENT_SYSTEM, INVALID_INPUT, TOO_MANY_PAYMENTS, TOO_MANY_REQUESTS, GATEWAY_UNAVAILABLE, BLOCKED, IDEMPOTENCY_CONFLICT.
 */
export async function beginPayment(ctx: Context, wish: PaymentWish): Promise<PaymentRow> {
  const found = offeredSystem(ctx, wish)
  if (found === null) throw badPaymentSystem()
  const { gateway, system } = found
  const inputHash = hashParts([wish.system, wish.amountMicros.toString()])
  const earlier = await findEarlier(ctx, wish, inputHash)
  if (earlier !== null) return repeat(ctx, { wish, gateway, system, row: earlier })
  checkAmount(wish, system)
  if (await isBlocked(ctx.db, wish.userId)) throw blocked()
  limitPayments(ctx, wish, system)
  const row = await store(ctx, { wish, gateway, system, inputHash })
  // A press of the same key, or for the one that is open already, may have been faster.
  return row.state === 'created' ? askToBegin(ctx, gateway, row) : row
}

type Begun = { wish: PaymentWish; gateway: Gateway; system: PaymentSystem; row: PaymentRow }

/** What it repeats may still be under way, or over. Only asking again counts against the limits: it is a call of the gateway. */
async function repeat(ctx: Context, begun: Begun): Promise<PaymentRow> {
  if (begun.row.state !== 'created') return begun.row
  if (!isBeingAsked(ctx, begun.row)) limitPayments(ctx, begun.wish, begun.system)
  return askToBegin(ctx, begun.gateway, begun.row)
}

function limitPayments(ctx: Context, { userId, network }: PaymentWish, { isCard }: PaymentSystem): void {
  perUser.spend(ctx, String(userId))
  perNetwork.spend(ctx, network)
  if (isCard) cardsPerNetwork.spend(ctx, network)
}

async function findEarlier(ctx: Context, wish: PaymentWish, inputHash: string): Promise<PaymentRow | null> {
  if (wish.idempotencyKey === undefined) return null
  const earlier = await findPaymentByKey(ctx.db, { userId: wish.userId, key: wish.idempotencyKey })
  if (earlier !== null && earlier.input_hash !== inputHash) throw idempotencyConflict()
  return earlier
}

function checkAmount({ amountMicros, currency }: PaymentWish, { limits }: PaymentSystem): void {
  const limit = limits[currency]
  if (limit === undefined) throw badPaymentSystem()
  if (amountMicros >= limit.minMicros && amountMicros <= limit.maxMicros) return
  const [minimum, maximum] = [toDecimal(limit.minMicros), toDecimal(limit.maxMicros)]
  throw invalidInput({ amount: [wordsOf('field.amountBetween', { minimum, maximum })] })
}

/** What a repetition sends as well, whatever has changed: gateways refuse a key with other words. */
async function pressOf(ctx: Context, { userId, locale, origin }: PaymentWish, transactionId: string): Promise<Press> {
  const returnUrl = new URL(`/top-up?payment=${transactionId}`, origin).href
  return { locale, returnUrl, email: (await findUser(ctx.db, userId))?.email ?? null }
}

async function store(
  ctx: Context,
  {
    wish,
    gateway,
    system,
    inputHash,
  }: { wish: PaymentWish; gateway: Gateway; system: PaymentSystem; inputHash: string },
): Promise<PaymentRow> {
  const now = ctx.clock.now()
  const transactionId = ctx.random.uuid()
  const press = await pressOf(ctx, wish, transactionId)
  let announceClosed: (() => void) | undefined
  const row = await transaction(ctx.db, async (tx) => {
    // Settling locks its payment before the account: so does whoever may close one.
    if (system.hasOneOpen === true) {
      await lockOpenBySystem(tx, { userId: wish.userId, gatewayId: gateway.id, system: system.key })
    }
    // Two at once cannot both be the last one that is allowed.
    const { availableMicros } = await lockAccount(tx, wish.userId)
    // An account is deleted under this lock.
    if (await isBlocked(tx, wish.userId)) throw blocked()
    if (system.hasOneOpen === true) {
      const { userId, amountMicros, idempotencyKey: key = null } = wish
      const open = { userId, gatewayId: gateway.id, system: system.key, amountMicros, key, inputHash, now }
      const { kept, closed } = await takeUpOpen(tx, open)
      if (kept !== null) return kept
      announceClosed = closed
        ? () => announcePayment(ctx, { row: closed, hasChanged: true, availableMicros, hasMoved: false })
        : undefined
    }
    await checkFirstDays(tx, { wish, system, now })
    return insertPayment(tx, {
      transactionId,
      press,
      userId: wish.userId,
      gatewayId: gateway.id,
      system: system.key,
      amountMicros: wish.amountMicros,
      currency: wish.currency,
      feePoints: system.feeBorneBy === 'payer' ? system.feePoints : 0,
      bonusPoints: system.bonusPoints,
      idempotencyKey: wish.idempotencyKey ?? null,
      inputHash,
      network: wish.network,
      openLimit: MAX_OPEN_PAYMENTS,
      now,
      expiresAt: new Date(now.getTime() + system.lifetimeMs),
      nextCheckAt: firstCheckAt(gateway, now),
      ...(await promiseBonus(tx, { ...wish, now })),
    })
  }).catch(async (error: unknown) => {
    if (!isUniqueViolation(error, 'payments_idempotency')) throw error
    return findEarlier(ctx, wish, inputHash)
  })
  announceClosed?.()
  if (row === null) throw tooManyPayments(MAX_OPEN_PAYMENTS)
  return row
}
