import { createHash } from 'node:crypto'
import type { Currency } from '#contract/money.ts'
import { VOUCHER_CODE_PATTERN } from '#contract/payment.ts'
import { MINUTE } from '#contract/time.ts'
import { isBlocked } from '#server/core/accounts/users/queries.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import type { Zone } from '#server/house/config/zones.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { blocked } from '#server/house/errors/errors.ts'
import { badPaymentSystem, badVoucher, voucherSpent } from '#server/house/errors/payment-errors.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { lockAccount } from '#server/house/money/move-money.ts'
import { announcePayment } from './announce.ts'
import { findPayment, insertPayment } from './queries/payments.ts'
import { bindVoucher, lockVoucher } from './queries/vouchers.ts'
import { type Settled, settlePayment } from './settle-payment.ts'
import { offeredSystem } from './systems.ts'

type Redeeming = { userId: number; currency: Currency; zone: Zone; network: string }

/** A voucher code has 80 bits, so guessing is hopeless; the rate limit protects the database. */
const perUser = createRateLimit({ name: 'vouchers tried by a user', burst: 10, refillMs: 5 * MINUTE })
const perNetwork = createRateLimit({ name: 'vouchers tried by a network', burst: 30, refillMs: MINUTE })

/** Hashes a voucher code without a salt, because the code is random and long. */
export function hashVoucher(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}

/** Returns a voucher code without the spaces, hyphens and lower case that people type. */
export function tidyVoucher(text: string): string {
  return text.toUpperCase().replaceAll(/[\s-]/g, '')
}

/**
 * Redeems a voucher. `redeemedBefore` means that this account redeemed it earlier and nothing was credited now. Throws
 * BAD_VOUCHER, VOUCHER_SPENT, BAD_PAYMENT_SYSTEM, TOO_MANY_REQUESTS, BLOCKED.
 */
export async function redeemVoucher(
  ctx: Context,
  input: Redeeming & { code: string },
): Promise<{ paymentId: bigint; redeemedBefore: boolean }> {
  await perNetwork.spend(ctx, input.network)
  await perUser.spend(ctx, String(input.userId))
  const code = tidyVoucher(input.code)
  if (!VOUCHER_CODE_PATTERN.test(code)) throw badVoucher()
  if (await isBlocked(ctx.db, input.userId)) throw blocked()
  const { paymentId, settled } = await transaction(ctx.db, (tx) =>
    redeem(ctx, tx, { ...input, codeHash: hashVoucher(code) }),
  )
  await perUser.giveBack(ctx, String(input.userId))
  await perNetwork.giveBack(ctx, input.network)
  if (settled !== null) announcePayment(ctx, settled)
  return { paymentId, redeemedBefore: settled === null }
}

async function redeem(
  ctx: Context,
  tx: Parameters<typeof settlePayment>[0],
  input: Redeeming & { codeHash: Buffer },
): Promise<{ paymentId: bigint; settled: Settled | null }> {
  const voucher = await lockVoucher(tx, input.codeHash)
  // A voucher of another currency gets the answer for a voucher that does not exist.
  if (voucher === null || voucher.currency !== input.currency) throw badVoucher()
  // An account may repeat a request whose reply was lost.
  if (voucher.payment_id !== null && (await findPayment(tx, voucher.payment_id))?.user_id === input.userId) {
    return { paymentId: voucher.payment_id, settled: null }
  }
  const now = ctx.clock.now()
  const { zone, userId, currency, network } = input
  const key = gatewaysOf(ctx).get(voucher.gateway_id)?.gateway.systems[0]?.key
  if (key === undefined || offeredSystem(ctx, { system: key, zone, currency }) === null) throw badPaymentSystem()
  const isOver = voucher.expires_at !== null && voucher.expires_at <= now
  if (voucher.payment_id !== null || voucher.withdrawn_at !== null || isOver) throw voucherSpent()
  // The insert locks the account too, so without an earlier lock two concurrent requests would deadlock.
  await lockAccount(tx, userId)
  if (await isBlocked(tx, userId)) throw blocked()
  const payment = await insertPayment(tx, {
    transactionId: ctx.random.uuid(),
    userId,
    gatewayId: voucher.gateway_id,
    system: key,
    currency,
    network,
    amountMicros: voucher.amount_micros,
    feePoints: 0,
    bonusPoints: 0,
    idempotencyKey: null,
    inputHash: null,
    // A voucher's payment is paid at once, so the limit of open payments does not apply.
    openLimit: Number.MAX_SAFE_INTEGER,
    now,
    expiresAt: now,
    nextCheckAt: null,
  })
  if (payment === null) throw new Error('a voucher has a payment')
  await bindVoucher(tx, { id: voucher.id, paymentId: payment.id })
  const deposits = [{ providerId: `voucher-${voucher.id}`, amountMicros: voucher.amount_micros }]
  const facts = { progress: 'pending', deposits, reversals: [] } as const
  const settled = await settlePayment(tx, { id: payment.id, facts, now, credit: 'voucher' })
  if (settled === null) throw new Error('the payment of a voucher is gone')
  return { paymentId: payment.id, settled }
}
