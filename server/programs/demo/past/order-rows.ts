import { NAMING_VERSION } from '#server/core/numbers/messages/naming.ts'
import { makePhone } from '#server/house/seed/number-formats.ts'
import type { PastMove } from './draw-money.ts'
import type { PastOrder, PastSms } from './draw-orders.ts'
import type { Row } from './row-queries.ts'

export type StoredOrder = PastOrder & { id: bigint; phone: string }

/** The facts of the demo that all rows share. */
export type PastFacts = {
  nowMs: number
  supplierId: number
  staffId: number
  rubPerUsdMicros: bigint
  /** Words and codes of messages before this time are gone already (server/house/jobs/retention). */
  wordsSinceMs: number
}

const CURRENCY = 'rub'
const LIFETIME_MS = 20 * 60_000
export const at = (ms: number) => new Date(ms).toISOString()

/** Gives the orders ids in the order of time, and the phones that the simulator derives from the ids. */
export function numberOrders(orders: readonly PastOrder[], ids: readonly bigint[]): StoredOrder[] {
  return orders
    .toSorted((one, other) => one.createdAtMs - other.createdAtMs)
    .map((order, place) => {
      const id = ids[place] ?? 0n
      return { ...order, id, phone: makePhone(order.countryId, 2n * id) }
    })
}

export function activationRow(order: StoredOrder, facts: PastFacts): Row {
  const firstAtMs = order.messages[0]?.atMs
  const isKept = order.endedAtMs >= facts.wordsSinceMs
  return {
    id: order.id,
    user_id: order.userId,
    service_code: order.serviceCode,
    country_id: order.countryId,
    operator_wanted: order.operatorWanted,
    operator: order.operator,
    state: order.state,
    money: firstAtMs === undefined ? 'released' : 'captured',
    price_micros: order.priceMicros,
    currency: CURRENCY,
    supplier_id: facts.supplierId,
    supplier_reference: `${order.id}-1`,
    cost_micros: order.costMicros,
    cost_currency: CURRENCY,
    cost_limit_micros: order.costMicros,
    cost_rate_micros: facts.rubPerUsdMicros,
    phone: order.phone,
    code: isKept ? (order.messages.at(-1)?.code ?? null) : null,
    sms_count: order.messages.length,
    channel: order.apiKeyId === null ? 'site' : 'handler_api',
    api_key_id: order.apiKeyId,
    created_at: at(order.createdAtMs),
    expires_at: at(order.createdAtMs + LIFETIME_MS),
    first_code_at: firstAtMs === undefined ? null : at(firstAtMs),
    outcome_at: at(firstAtMs ?? order.endedAtMs),
    ended_at: at(order.endedAtMs),
  }
}

export function messageRow(
  sms: PastSms,
  order: { phone: string; reference: string; activationId?: bigint; rentalId?: bigint },
  facts: PastFacts,
): Row {
  const isKept = sms.atMs >= facts.wordsSinceMs
  return {
    supplier_id: facts.supplierId,
    phone: order.phone,
    sender: sms.sender,
    body: isKept ? sms.text : null,
    code: isKept ? sms.code : null,
    activation_id: order.activationId ?? null,
    rental_id: order.rentalId ?? null,
    received_at: at(sms.atMs),
    given: 'reference',
    named_by: 'sender',
    named_services: [sms.serviceCode],
    named_family: sms.serviceCode,
    naming_version: NAMING_VERSION,
    reference: order.reference,
  }
}

export function movesOfOrder(order: StoredOrder): PastMove[] {
  const of = { userId: order.userId, micros: order.priceMicros, activationId: order.id }
  const firstAtMs = order.messages[0]?.atMs
  const moves: PastMove[] = [
    { ...of, kind: 'hold', atMs: order.createdAtMs },
    { ...of, kind: firstAtMs === undefined ? 'release' : 'capture', atMs: firstAtMs ?? order.endedAtMs },
  ]
  return order.refundedAtMs === null ? moves : [...moves, { ...of, kind: 'refund', atMs: order.refundedAtMs }]
}

export function eventsOfOrder(order: StoredOrder): Row[] {
  const event = (ms: number, kind: string) => ({
    at: at(ms),
    kind: `activation.${kind}`,
    user_id: order.userId,
    subject_id: order.id,
  })
  return [
    event(order.createdAtMs, 'waiting'),
    ...order.messages.map(({ atMs }) => event(atMs, 'received')),
    event(order.endedAtMs, order.state),
    ...(order.refundedAtMs === null ? [] : [event(order.refundedAtMs, 'refunded')]),
  ]
}

/** The numbers that are not sold for their service again: those with a code, and those that were used before. */
export function burntRows(orders: readonly StoredOrder[]): Row[] {
  return orders.flatMap(({ phone, serviceCode: service_code, state }) => {
    if (state === 'finished') return [{ phone, service_code, reason: 'code' }]
    return state === 'used' ? [{ phone, service_code, reason: 'used' }] : []
  })
}

export function usedReportRows(orders: readonly StoredOrder[]): Row[] {
  return orders.flatMap((order) =>
    order.state !== 'used'
      ? []
      : [
          {
            activation_id: order.id,
            user_id: order.userId,
            service_code: order.serviceCode,
            country_id: order.countryId,
            phone: order.phone,
            by_supplier: true,
            bars_all: true,
            weighed: true,
            reported_at: at(order.endedAtMs),
          },
        ],
  )
}

export function transferRow(move: PastMove, accounts: { from: string; to: string }): Row {
  return {
    kind: move.kind,
    user_id: move.userId,
    from_account: accounts.from,
    to_account: accounts.to,
    amount_micros: move.micros,
    currency: CURRENCY,
    activation_id: move.activationId ?? null,
    charge_id: move.chargeId ?? null,
    payment_id: move.paymentId ?? null,
    deposit_id: move.depositId ?? null,
    loyalty_reward_id: move.rewardId ?? null,
    idempotency_key: move.key ?? null,
    at: at(move.atMs),
  }
}
