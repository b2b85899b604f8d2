import type { Locale } from '#contract/constants.ts'
import { type Currency, toDecimal } from '#contract/money.ts'
import { MAX_OPEN_PAYMENTS } from '#contract/payment.ts'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { findUser, isBlocked } from '#server/accounts/users/queries.ts'
import { idempotencyConflict } from '#server/buying-errors.ts'
import type { Zone } from '#server/config/zones.ts'
import type { Context } from '#server/context.ts'
import { isUniqueViolation } from '#server/db/constraint.ts'
import type { Db } from '#server/db/pool.ts'
import { transaction } from '#server/db/transaction.ts'
import { wordsOf } from '#server/error-words.ts'
import { blocked, invalidInput, tooManyRequests } from '#server/errors.ts'
import type { Gateway, PaymentSystem } from '#server/gateways/gateway.ts'
import { hashParts } from '#server/hash-parts.ts'
import { createRateLimit } from '#server/http/door/rate-limit.ts'
import { lockAccount } from '#server/money/move-money.ts'
import { badPaymentSystem, gatewayUnavailable, tooManyPayments } from '#server/payment-errors.ts'
import { announcePayment } from '../announce.ts'
import { callGateway } from '../call-gateway.ts'
import { checkPayment } from '../check-payment.ts'
import {
  findPaymentByKey,
  insertPayment,
  type PaymentRow,
  postponeCheck,
  storeBegun,
  sumOfNewAccount,
} from '../queries/payments.ts'
import { offeredSystem } from '../systems.ts'
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

const FIRST_CHECK_MS = 20 * SECOND
/** Each payment is a call of the gateway, and card thieves try one card after the other. */
const perUser = createRateLimit({ burst: 15, refillMs: 4 * MINUTE })
const perNetwork = createRateLimit({ burst: 60, refillMs: MINUTE })
/** Fewer than a thief's list of cards; one network of a carrier may still have several payers. */
const cardsPerNetwork = createRateLimit({ burst: 20, refillMs: 5 * MINUTE })

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
  if (earlier !== null) return askOnce(ctx, { wish, gateway, row: earlier })
  checkAmount(wish, system)
  if (await isBlocked(ctx.db, wish.userId)) throw blocked()
  takeTurn(ctx, wish, system)
  const row = await store(ctx, { wish, gateway, system, inputHash })
  return askOnce(ctx, { wish, gateway, row })
}

/** A repeated key finds a row that may have been begun already. */
async function askOnce(ctx: Context, begun: Parameters<typeof askGateway>[1]): Promise<PaymentRow> {
  return begun.row.state === 'created' ? askGateway(ctx, begun) : begun.row
}

function takeTurn(ctx: Context, { userId, network }: PaymentWish, { isCard }: PaymentSystem): void {
  const now = ctx.clock.now()
  const waitMs =
    perUser.take(ctx, String(userId), now) ||
    perNetwork.take(ctx, network, now) ||
    (isCard ? cardsPerNetwork.take(ctx, network, now) : 0)
  if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / SECOND))
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
  let announceClosed: (() => void) | undefined
  const row = await transaction(ctx.db, async (tx) => {
    // Two at once cannot both be the last one that is allowed.
    const { availableMicros } = await lockAccount(tx, wish.userId)
    if (system.hasOneOpen === true) {
      const { userId, amountMicros, idempotencyKey: key = null } = wish
      const open = { userId, gatewayId: gateway.id, system: system.key, amountMicros, key, inputHash, now }
      const { kept, closed } = await takeUpOpen(tx, open)
      if (kept !== null) return kept
      announceClosed = closed ? () => announcePayment(ctx, { ...closed, availableMicros, hasMoved: false }) : undefined
    }
    await checkFirstDays(tx, { wish, system, now })
    return insertPayment(tx, {
      transactionId: ctx.random.uuid(),
      ...{ userId: wish.userId, gatewayId: gateway.id, system: system.key, amountMicros: wish.amountMicros },
      ...{ currency: wish.currency, feePoints: system.feeBorneBy === 'payer' ? system.feePoints : 0 },
      ...{
        bonusPoints: system.bonusPoints,
        idempotencyKey: wish.idempotencyKey ?? null,
        inputHash,
        network: wish.network,
      },
      ...{ openLimit: MAX_OPEN_PAYMENTS, now, expiresAt: new Date(now.getTime() + system.lifetimeMs) },
      nextCheckAt: firstCheckAt(gateway, now),
    })
  }).catch(async (error: unknown) => {
    if (!isUniqueViolation(error, 'payments_idempotency')) throw error
    return findEarlier(ctx, wish, inputHash)
  })
  announceClosed?.()
  if (row === null) throw tooManyPayments(MAX_OPEN_PAYMENTS)
  return row
}

function firstCheckAt({ leastPauseMs = 0 }: Gateway, now: Date): Date {
  return new Date(now.getTime() + Math.max(FIRST_CHECK_MS, leastPauseMs))
}

/** The account must be locked. */
async function checkFirstDays(
  tx: Db,
  { wish, system, now }: { wish: PaymentWish; system: PaymentSystem; now: Date },
): Promise<void> {
  const { days, mostMicros } = system.firstDays
  const most = mostMicros[wish.currency]
  if (most === undefined || days === 0) return
  const youngerThan = new Date(now.getTime() - days * DAY)
  const begun = await sumOfNewAccount(tx, { userId: wish.userId, system: system.key, youngerThan })
  if (begun === null || begun + wish.amountMicros <= most) return
  const left = toDecimal(begun < most ? most - begun : 0n)
  throw invalidInput({ amount: [wordsOf('field.firstDays', { days: String(days), maximum: toDecimal(most), left })] })
}

async function askGateway(
  ctx: Context,
  { wish, gateway, row }: { wish: PaymentWish; gateway: Gateway; row: PaymentRow },
): Promise<PaymentRow> {
  const { transaction_id: transactionId, system, amount_micros: amountMicros, currency, expires_at: expiresAt } = row
  const returnUrl = new URL(`/top-up?payment=${transactionId}`, wish.origin).href
  const payer = { userId: row.user_id, email: (await findUser(ctx.db, row.user_id))?.email ?? null }
  const order = { transactionId, system, amountMicros, currency, expiresAt, locale: wish.locale, returnUrl, ...payer }
  // What became of it is asked later: the row stays `created`.
  const begun = await callGateway(ctx, gateway, (signal) => gateway.begin(order, signal)).catch(() => {
    throw gatewayUnavailable()
  })
  const now = ctx.clock.now()
  if (begun.outcome === 'refused') {
    ctx.log.warn({ gateway: gateway.code, reason: begun.reason }, 'a gateway refused a payment')
    await postponeCheck(ctx.db, { id: row.id, nextCheckAt: now })
    throw gatewayUnavailable()
  }
  const nextCheckAt = firstCheckAt(gateway, now)
  const stored = await storeBegun(ctx.db, { ...begun, id: row.id, now, nextCheckAt })
  if (begun.guidance.form === 'instant') await checkPayment(ctx, row.id)
  return stored ?? row
}
