import { DAY, MINUTE } from '#contract/time.ts'
import type { Gateway, Settling } from '#server/core/gateways/gateway.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { lockAccount } from '#server/house/money/move-money.ts'
import { callGateway } from './call-gateway.ts'
import { checkPayment } from './check-payment.ts'
import { findIdByTransaction, findWaiting } from './queries/arrivals.ts'
import { insertPayment } from './queries/payments.ts'

const ROUND_LIMIT_MS = MINUTE
/** The time after a payment's end within which arriving money still counts for it. */
const LATE_FOR_MS = 7 * DAY
const NO_LIMIT = 1_000_000

/**
 * Runs the search for incoming money of each gateway that has one. A task calls this every few seconds, never twice at
 * once.
 */
export async function followArrivals(ctx: Context): Promise<void> {
  await Promise.all(
    gatewaysOf(ctx)
      .all()
      .map(({ gateway }) => follow(ctx, gateway)),
  )
}

async function follow(ctx: Context, gateway: Gateway): Promise<void> {
  const { follow: round } = gateway
  if (round === undefined) return
  const payments = settlingOf(ctx, gateway)
  await callGateway(ctx, gateway, (signal) => round(signal, payments), ROUND_LIMIT_MS)
    // `callGateway` logs the failure; the next round continues where this one ended.
    .catch(() => undefined)
}

function settlingOf(ctx: Context, gateway: Gateway): Settling {
  return {
    async choose(tx, { at, ...arrival }) {
      await lockAccount(tx, arrival.userId)
      const since = new Date(ctx.clock.now().getTime() - LATE_FOR_MS)
      return findWaiting(tx, { ...arrival, at, since })
    },
    begin: (tx, arrival) => beginUnasked(ctx, { tx, gateway, arrival }),
    async settle(transactionId) {
      const id = await findIdByTransaction(ctx.db, transactionId)
      if (id !== null) await checkPayment(ctx, id)
    },
  }
}

/**
 * Begins a payment for the sum that arrived unannounced, with its system's fee and bonus. The limit of open payments
 * does not apply.
 */
async function beginUnasked(
  ctx: Context,
  { tx, gateway, arrival }: { tx: Db; gateway: Gateway; arrival: Parameters<Settling['begin']>[1] },
): Promise<string> {
  const system = gateway.systems.find(({ key }) => key === arrival.system)
  if (system === undefined) throw new Error(`${gateway.code} has no ${arrival.system}`)
  const { currency } = await lockAccount(tx, arrival.userId)
  const now = ctx.clock.now()
  const row = await insertPayment(tx, {
    transactionId: ctx.random.uuid(),
    currency,
    ...arrival,
    feePoints: system.feeBorneBy === 'payer' ? system.feePoints : 0,
    bonusPoints: system.bonusPoints,
    idempotencyKey: null,
    inputHash: null,
    network: null,
    openLimit: NO_LIMIT,
    now,
    expiresAt: now,
    nextCheckAt: now,
  })
  if (row === null) throw new Error('a payment that nobody asked for was not begun')
  return row.transaction_id
}
