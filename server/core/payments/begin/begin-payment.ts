import type { Locale } from '#contract/constants.ts'
import { type Currency, toDecimal } from '#contract/money.ts'
import { MAX_OPEN_PAYMENTS } from '#contract/payment.ts'
import { DAY, MINUTE } from '#contract/time.ts'
import { findUser, isBlocked } from '#server/core/accounts/users/queries.ts'
import type { Gateway, PaymentSystem } from '#server/core/gateways/gateway.ts'
import type { Zone } from '#server/house/config/zones.ts'
import type { Context } from '#server/house/context.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'
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
import { sumOfNewAccount } from '../queries/beginning.ts'
import { lockOpenBySystem } from '../queries/open-payment.ts'
import { type BeginDetails, findPaymentByKey, insertPayment, type PaymentRow } from '../queries/payments.ts'
import { offeredSystem } from '../systems.ts'
import { askToBegin, firstCheckAt, isBeingAsked } from './ask-to-begin.ts'
import { resumeOpenPayment } from './resume-open-payment.ts'

export type PaymentWish = {
  userId: number
  currency: Currency
  zone: Zone
  locale: Locale
  system: string
  amountMicros: bigint
  network: string
  origin: string
  idempotencyKey?: string | undefined
}

/** The rate limits exist because each payment is a gateway call, and card thieves try one card after another. */
const perUser = createRateLimit({ name: 'payments of a user', burst: 15, refillMs: 4 * MINUTE })
const perNetwork = createRateLimit({ name: 'payments of a network', burst: 60, refillMs: MINUTE })
/**
 * The limit is below the length of a thief's list of cards, but lets several payers share a mobile carrier's network.
 */
const cardsPerNetwork = createRateLimit({ name: 'card payments of a network', burst: 20, refillMs: 5 * MINUTE })

/**
 * Begins a payment, or returns the one of a repeated idempotency key. The row is committed before the gateway is
 * called, so that any webhook finds it. Throws BAD_PAYMENT_SYSTEM, INVALID_INPUT, TOO_MANY_PAYMENTS, TOO_MANY_REQUESTS,
 * GATEWAY_UNAVAILABLE, BLOCKED, IDEMPOTENCY_CONFLICT.
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
  await limitPayments(ctx, wish, system)
  const row = await store(ctx, { wish, gateway, system, inputHash })
  // A concurrent request for the same payment may have called the gateway already.
  return row.state === 'created' ? askToBegin(ctx, gateway, row) : row
}

type Begun = { wish: PaymentWish; gateway: Gateway; system: PaymentSystem; row: PaymentRow }

/** Answers a request that repeats an idempotency key. Only a new gateway call counts against the rate limit. */
async function repeat(ctx: Context, begun: Begun): Promise<PaymentRow> {
  if (begun.row.state !== 'created') return begun.row
  if (!isBeingAsked(ctx, begun.row)) await limitPayments(ctx, begun.wish, begun.system)
  return askToBegin(ctx, begun.gateway, begun.row)
}

async function limitPayments(ctx: Context, { userId, network }: PaymentWish, { isCard }: PaymentSystem): Promise<void> {
  await perUser.spend(ctx, String(userId))
  await perNetwork.spend(ctx, network)
  if (isCard) await cardsPerNetwork.spend(ctx, network)
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

/**
 * Returns the details sent to the gateway. The details are stored, because gateways refuse a repeated idempotency key
 * with different details.
 */
async function beginDetailsOf(
  ctx: Context,
  { userId, locale, origin }: PaymentWish,
  transactionId: string,
): Promise<BeginDetails> {
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
  const press = await beginDetailsOf(ctx, wish, transactionId)
  let announceClosed: (() => void) | undefined
  const row = await transaction(ctx.db, async (tx) => {
    // The lock order is payment before account, as in a settlement, because this transaction may close a payment.
    if (system.hasOneOpen === true) {
      await lockOpenBySystem(tx, { userId: wish.userId, gatewayId: gateway.id, system: system.key })
    }
    // The lock prevents two concurrent requests from both taking the last allowed payment.
    const { availableMicros } = await lockAccount(tx, wish.userId)
    if (await isBlocked(tx, wish.userId)) throw blocked()
    if (system.hasOneOpen === true) {
      const { userId, amountMicros, idempotencyKey: key = null } = wish
      const open = { userId, gatewayId: gateway.id, system: system.key, amountMicros, key, inputHash, now }
      const { kept, closed } = await resumeOpenPayment(tx, open)
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

/**
 * Checks the limit of a new account. A closed payment counts while its page at the gateway may be open. The account
 * must be locked. Throws INVALID_INPUT.
 */
async function checkFirstDays(
  tx: Db,
  input: { wish: { userId: number; currency: Currency; amountMicros: bigint }; system: PaymentSystem; now: Date },
): Promise<void> {
  const { wish, system, now } = input
  const { days, mostMicros } = system.firstDays
  const most = mostMicros[wish.currency]
  if (most === undefined || days === 0) return
  const youngerThan = new Date(now.getTime() - days * DAY)
  const begun = await sumOfNewAccount(tx, { userId: wish.userId, system: system.key, youngerThan, now })
  if (begun === null || begun + wish.amountMicros <= most) return
  const left = toDecimal(begun < most ? most - begun : 0n)
  throw invalidInput({ amount: [wordsOf('field.firstDays', { days: String(days), maximum: toDecimal(most), left })] })
}
