import { NUMBER_HELD_MS } from '#server/core/suppliers/supplier.ts'

const SHARED = `($exclusive OR COALESCE(l.family, l.service_code) = $family OR NOT ($sendersKnown AND l.senders_known))`

/**
 * The set of numbers that `smpp_number_closed` (migrations/0071_unsold_leases.sql) would reject one by one. A range
 * scan reads the set first, which takes 1 µs for each lease instead of 10 µs for each number. The function is still
 * called for the number found, under its lock. The partial index of leased rows is small, and with any further
 * condition the planner would not use it.
 */
export const CLOSED_NUMBERS = `SELECT l.phone FROM smpp_leases l WHERE l.state = 'leased' AND ${SHARED}
      UNION ALL SELECT l.phone FROM smpp_leases l WHERE l.supplier_id = $supplierId AND l.state = 'ended'
        AND l.ending <> 'unsold' AND l.ended_at > $now::timestamptz - interval '${NUMBER_HELD_MS} milliseconds'
        AND l.buyer_id IS DISTINCT FROM $buyerId AND ${SHARED}`
