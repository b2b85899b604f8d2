import { createHmac } from 'node:crypto'
import { MINUTE } from '#contract/time.ts'
import type { KnownPayment, PaymentFacts } from '#server/core/gateways/gateway.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { announcePayment } from './announce.ts'
import { callGateway } from './call-gateway.ts'
import { nextCheckAt, UNKNOWN_AFTER_MS } from './check-times.ts'
import { paymentChecksOf } from './payment-checks.ts'
import { hasAwaitedReversal } from './queries/money.ts'
import { findPayment, type PaymentRow, postponeCheck } from './queries/payments.ts'
import { settlePayment } from './settle-payment.ts'

/** The delay between a payment's expiry and its end if the gateway gives no facts. Late money is still credited. */
const UNANSWERED_AFTER_MS = 10 * MINUTE
export const NEVER_BEGUN: PaymentFacts = { progress: 'failed', deposits: [], reversals: [] }
const NOTHING_KNOWN: PaymentFacts = { progress: 'pending', deposits: [], reversals: [] }

/** Settles a payment by the facts that its gateway reports. Concurrent callers share one check. */
export function checkPayment(ctx: Context, id: bigint): Promise<void> {
  return paymentChecksOf(ctx).run(id, () => check(ctx, id))
}

async function check(ctx: Context, id: bigint): Promise<void> {
  const row = await findPayment(ctx.db, id)
  if (row === null) return
  const facts = await askFacts(ctx, row).catch(async (error: unknown) => {
    await goOnWaiting(ctx, row)
    throw error
  })
  if (facts === null) return goOnWaiting(ctx, row)
  await settleFacts(ctx, row, facts)
}

export async function settleFacts(ctx: Context, row: PaymentRow, facts: PaymentFacts): Promise<PaymentRow> {
  const { leastPauseMs } = gatewaysOf(ctx).get(row.gateway_id)?.gateway ?? {}
  const now = ctx.clock.now()
  const hashPayer = (payer: string) => createHmac('sha256', ctx.secrets.secretKey).update(`payer ${payer}`).digest()
  const input = { id: row.id, facts, now, leastPauseMs, hashPayer }
  const settled = await transaction(ctx.db, (tx) =>
    // A webhook that arrived during this check is already acknowledged, so its payment must be due soon after a crash.
    settlePayment(tx, { ...input, isAskedAgain: paymentChecksOf(ctx).isAskedAgain(row.id) }),
  )
  if (settled !== null) announcePayment(ctx, settled)
  return settled?.row ?? row
}

/**
 * Postpones the next check of a payment without facts. The payment ends some time after its expiry, because a user may
 * have only five open payments.
 */
async function goOnWaiting(ctx: Context, row: PaymentRow): Promise<void> {
  const isAwaited = row.state === 'created' || row.state === 'pending'
  const isOver = ctx.clock.now().getTime() - row.expires_at.getTime() > UNANSWERED_AFTER_MS
  const { state } = isAwaited && isOver ? await settleFacts(ctx, row, NOTHING_KNOWN) : row
  const { leastPauseMs } = gatewaysOf(ctx).get(row.gateway_id)?.gateway ?? {}
  const awaitsReversal = await hasAwaitedReversal(ctx.db, row.id)
  const next = nextCheckAt({ ...row, state }, ctx.clock.now(), { isUnanswered: true, awaitsReversal, leastPauseMs })
  await postponeCheck(ctx.db, { id: row.id, nextCheckAt: next })
}

async function askFacts(ctx: Context, row: PaymentRow): Promise<PaymentFacts | null> {
  const gateway = gatewaysOf(ctx).get(row.gateway_id)?.gateway
  if (gateway === undefined) return null
  const facts = await callGateway(ctx, gateway, (signal) => gateway.fetch(toKnown(row), signal))
  if (facts !== null || row.state !== 'created') return facts
  return ctx.clock.now().getTime() - row.created_at.getTime() > UNKNOWN_AFTER_MS ? NEVER_BEGUN : null
}

export function toKnown(row: PaymentRow): KnownPayment {
  return {
    transactionId: row.transaction_id,
    userId: row.user_id,
    providerId: row.provider_id,
    system: row.system,
    amountMicros: row.amount_micros,
    currency: row.currency,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
