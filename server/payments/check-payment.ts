import { createHmac } from 'node:crypto'
import { MINUTE } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { transaction } from '#server/db/transaction.ts'
import type { KnownPayment, PaymentFacts } from '#server/gateways/gateway.ts'
import { announcePayment } from './announce.ts'
import { callGateway } from './call-gateway.ts'
import { nextCheckAt } from './check-times.ts'
import { hasAwaitedReversal } from './queries/money.ts'
import { findPayment, type PaymentRow, postponeCheck } from './queries/payments.ts'
import { settlePayment } from './settle-payment.ts'

/** A creation whose answer was lost may reach the gateway this much later. */
const UNKNOWN_AFTER_MS = 2 * MINUTE
const NEVER_BEGUN: PaymentFacts = { progress: 'failed', deposits: [], reversals: [] }

/** Asks the gateway what is true of a payment, and settles that. Whoever asks at the same time shares one answer. */
export function checkPayment(ctx: Context, id: bigint): Promise<void> {
  return ctx.paymentChecks.run(id, () => check(ctx, id))
}

async function check(ctx: Context, id: bigint): Promise<void> {
  const row = await findPayment(ctx.db, id)
  if (row === null) return
  const leastPauseMs = ctx.gateways.get(row.gateway_id)?.gateway.leastPauseMs
  const postpone = async () => {
    const awaitsReversal = await hasAwaitedReversal(ctx.db, id)
    await postponeCheck(ctx.db, {
      id,
      nextCheckAt: nextCheckAt(row, ctx.clock.now(), { awaitsReversal, leastPauseMs }),
    })
  }
  const facts = await askFacts(ctx, row).catch(async (error: unknown) => {
    await postpone()
    throw error
  })
  if (facts === null) return postpone()
  const now = ctx.clock.now()
  const hashPayer = (payer: string) => createHmac('sha256', ctx.secretKey).update(`payer ${payer}`).digest()
  const settled = await transaction(ctx.db, (tx) => settlePayment(tx, { id, facts, now, leastPauseMs, hashPayer }))
  if (settled !== null) announcePayment(ctx, settled)
}

/** Null: nothing is known yet. */
async function askFacts(ctx: Context, row: PaymentRow): Promise<PaymentFacts | null> {
  const gateway = ctx.gateways.get(row.gateway_id)?.gateway
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
