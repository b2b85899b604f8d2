import { HOUR } from '#contract/time.ts'
import { CANCEL_MS, warnAt } from '#server/core/numbers/rentals/times.ts'
import { makePhone } from '#server/house/seed/number-formats.ts'
import type { PastMove } from './draw-money.ts'
import type { PastRental } from './draw-rentals.ts'
import { at, type PastFacts } from './order-rows.ts'
import type { Row } from './row-queries.ts'

export type StoredRental = PastRental & { id: bigint; phone: string; chargeId: bigint; extensionId: bigint }

/** Takes two ids of charges for each rental. */
export function numberRentals(
  rentals: readonly PastRental[],
  { ids, chargeIds }: { ids: readonly bigint[]; chargeIds: readonly bigint[] },
): StoredRental[] {
  return rentals.map((rental, place) => {
    const id = ids[place] ?? 0n
    const [chargeId = 0n, extensionId = 0n] = chargeIds.slice(2 * place)
    // Odd serial numbers are for rentals, as in the simulator.
    return { ...rental, id, chargeId, extensionId, phone: makePhone(rental.countryId, 2n * id + 1n) }
  })
}

export function rentalRow(rental: StoredRental, facts: PastFacts): Row {
  const hours = rental.hours + rental.extensionHours
  const warnedAt = warnAt(new Date(rental.expiresAtMs), hours)
  const isWarned = rental.state !== 'cancelled' && warnedAt.getTime() < facts.nowMs
  const isKept = (rental.endedAtMs ?? facts.nowMs) >= facts.wordsSinceMs
  return {
    id: rental.id,
    user_id: rental.userId,
    service_code: rental.serviceCode,
    country_id: rental.countryId,
    operator_wanted: rental.operator,
    operator: rental.operator,
    state: rental.state,
    hours,
    supplier_id: facts.supplierId,
    supplier_reference: `r${rental.id}-1`,
    cost_limit_micros: rental.costMicros,
    cost_micros: rental.costMicros,
    cost_currency: 'rub',
    cost_rate_micros: facts.rubPerUsdMicros,
    phone: rental.phone,
    code: isKept ? (rental.messages.at(-1)?.code ?? null) : null,
    sms_count: rental.messages.length,
    channel: 'site',
    created_at: at(rental.createdAtMs),
    cancel_until: at(rental.createdAtMs + CANCEL_MS),
    captured_at: rental.capturedAtMs === null ? null : at(rental.capturedAtMs),
    expires_at: at(rental.expiresAtMs),
    warn_at: warnedAt.toISOString(),
    warned_at: isWarned ? warnedAt.toISOString() : null,
    ended_at: rental.endedAtMs === null ? null : at(rental.endedAtMs),
  }
}

export function chargeRowsOf(rental: StoredRental): Row[] {
  const of = { user_id: rental.userId, rental_id: rental.id, currency: 'rub' }
  const first = {
    ...of,
    id: rental.chargeId,
    purpose: 'rental',
    hours: rental.hours,
    price_micros: rental.priceMicros,
    money: rental.capturedAtMs === null ? 'released' : 'captured',
    created_at: at(rental.createdAtMs),
    settled_at: at(rental.capturedAtMs ?? rental.endedAtMs ?? rental.createdAtMs),
    preorder_id: null,
  }
  if (rental.extensionHours === 0) return [first]
  const extendedAt = at(rental.extendedAtMs)
  const further = { id: rental.extensionId, purpose: 'extension', hours: rental.extensionHours, money: 'captured' }
  const times = { created_at: extendedAt, settled_at: extendedAt }
  return [first, { ...first, ...further, ...times, price_micros: rental.extensionMicros }]
}

export function movesOfRental(rental: StoredRental): PastMove[] {
  const first = { userId: rental.userId, micros: rental.priceMicros, chargeId: rental.chargeId }
  const moves: PastMove[] = [
    { ...first, kind: 'hold', atMs: rental.createdAtMs },
    rental.capturedAtMs === null
      ? { ...first, kind: 'release', atMs: rental.endedAtMs ?? rental.createdAtMs }
      : { ...first, kind: 'capture', atMs: rental.capturedAtMs },
  ]
  if (rental.extensionHours === 0) return moves
  const further = { ...first, micros: rental.extensionMicros, chargeId: rental.extensionId, atMs: rental.extendedAtMs }
  return [...moves, { ...further, kind: 'hold' }, { ...further, kind: 'capture' }]
}

export function eventsOfRental(rental: StoredRental): Row[] {
  const event = (ms: number, kind: string) => ({
    at: at(ms),
    kind: `rental.${kind}`,
    user_id: rental.userId,
    subject_id: rental.id,
  })
  return [
    event(rental.createdAtMs, 'active'),
    ...rental.messages.map(({ atMs }) => event(atMs, 'received')),
    ...(rental.endedAtMs === null ? [] : [event(rental.endedAtMs, rental.state)]),
  ]
}

/** How long a pre-order of the demo waits in all, and how long it has waited. */
const PREORDER = { serviceCode: 'tg', countryId: 187, hours: 120, waitedHours: 26 } as const

export type StoredPreorder = { id: bigint; chargeId: bigint; userId: number; maxPriceMicros: bigint }

export function preorderRows(
  preorder: StoredPreorder,
  { nowMs }: PastFacts,
): { preorder: Row; charge: Row; move: PastMove } {
  const { id, chargeId, userId, maxPriceMicros } = preorder
  const createdAtMs = nowMs - PREORDER.waitedHours * HOUR
  const created_at = at(createdAtMs)
  return {
    preorder: {
      id,
      user_id: userId,
      service_code: PREORDER.serviceCode,
      country_id: PREORDER.countryId,
      max_price_micros: maxPriceMicros,
      currency: 'rub',
      state: 'waiting',
      created_at,
      deadline_at: at(createdAtMs + PREORDER.hours * HOUR),
      next_try_at: created_at,
    },
    charge: {
      id: chargeId,
      user_id: userId,
      rental_id: null,
      currency: 'rub',
      purpose: 'preorder',
      hours: null,
      price_micros: maxPriceMicros,
      money: 'held',
      created_at,
      settled_at: null,
      preorder_id: id,
    },
    move: { userId, kind: 'hold', micros: maxPriceMicros, chargeId, atMs: createdAtMs },
  }
}
