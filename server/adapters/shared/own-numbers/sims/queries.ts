import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'

export type NewSim = { phone: string; device: string; slot: string }
export type SimState = 'in_use' | 'resting' | 'retired'
export type TurnedSim = { phone: string; state: SimState; reason: string | null }

/** Finds the phone number of the SIM card in a slot, or of a device's only card. Retired cards do not count. */
export async function findSimPhone(
  db: Db,
  input: { supplierId: number; device: string; slot: string | null },
): Promise<string | null> {
  const { rows } = await db.query<{ phone: string }>({
    name: 'sim-find-phone',
    text: `SELECT phone FROM sims WHERE supplier_id = $supplierId AND device = $device AND state <> 'retired'
      AND ($slot::text IS NULL OR slot = $slot) LIMIT 2`,
    values: input,
  })
  return rows.length === 1 ? (rows[0]?.phone ?? null) : null
}

/**
 * Stores the supplier's SIM cards and returns their phone numbers. A retired card that is inserted again counts as new,
 * but a card that changed its slot keeps its state. A slot that another card occupies violates `sims_slot_once`.
 */
export async function upsertSims(
  db: Db,
  input: { supplierId: number; sims: readonly NewSim[]; now: Date },
): Promise<string[]> {
  const { supplierId, sims, now } = input
  const { rows } = await db.query<{ phone: string }>({
    name: 'sims-upsert',
    text: `WITH written AS (
        INSERT INTO sims AS known (supplier_id, phone, device, slot, state_since, added_at)
        SELECT $supplierId, g.phone, g.device, g.slot, $now, $now
        FROM unnest($phones::text[], $devices::text[], $slots::text[]) AS g (phone, device, slot)
        JOIN smpp_numbers n ON n.phone = g.phone AND n.supplier_id = $supplierId
        ON CONFLICT (phone) DO UPDATE SET supplier_id = $supplierId, device = excluded.device, slot = excluded.slot,
          state = CASE known.state WHEN 'retired' THEN 'in_use' ELSE known.state END,
          reason = CASE known.state WHEN 'retired' THEN NULL ELSE known.reason END,
          state_since = CASE known.state WHEN 'retired' THEN $now ELSE known.state_since END,
          added_at = CASE known.state WHEN 'retired' THEN $now ELSE known.added_at END
          WHERE known.state = 'retired' OR (known.supplier_id, known.device, known.slot) <> ($supplierId, excluded.device, excluded.slot)
        RETURNING phone, state
      ), enabled AS (
        UPDATE smpp_numbers n SET enabled = true, position = DEFAULT FROM written w
        WHERE n.phone = w.phone AND w.state = 'in_use' AND NOT n.enabled
      )
      SELECT phone FROM written`,
    values: {
      supplierId,
      now,
      phones: sims.map(({ phone }) => phone),
      devices: sims.map(({ device }) => device),
      slots: sims.map(({ slot }) => slot),
    },
  })
  return rows.map(({ phone }) => phone)
}

/** Retires a SIM card. Returns false if it is retired already or unknown. An open order keeps its number. */
export async function retireSim(db: Db, input: { phone: string; reason: string; now: Date }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'sim-retire',
    text: `WITH retired AS (
        UPDATE sims SET state = 'retired', reason = $reason, state_since = $now, rest_until = NULL
        WHERE phone = $phone AND state <> 'retired' RETURNING phone
      )
      UPDATE smpp_numbers n SET enabled = false FROM retired WHERE n.phone = retired.phone`,
    values: input,
  })
  return rowCount > 0
}

export type RotationRules = {
  maxSales: number | null
  services: readonly string[]
  maxOfServices: readonly number[]
  maxAgeDays: number | null
  restAfterSales: number | null
  restHours: number
}

/**
 * Retires and rests SIM cards by the rules, and puts rested cards back behind all other numbers. A sale is an order
 * with a code. `soldSince` limits the check to cards whose number ended an order after that time, and null checks all.
 * Cards locked or changed by a concurrent round wait for the next round.
 */
export async function turnSimStates(
  db: Db,
  input: RotationRules & { supplierId: number; soldSince: Date | null; now: Date; limit: number },
): Promise<TurnedSim[]> {
  const { rows } = await db.query<TurnedSim>({
    name: 'sims-turn',
    text: `WITH limits AS (
        SELECT * FROM unnest($services::text[], $maxOfServices::integer[]) AS l (service_code, most)
      ), touched AS MATERIALIZED (
        SELECT phone FROM smpp_leases WHERE supplier_id = $supplierId AND state = 'ended' AND ending <> 'unsold'
          AND ended_at > $soldSince::timestamptz
      ), asked AS MATERIALIZED (
        SELECT phone, supplier_id, added_at, state_since FROM sims WHERE supplier_id = $supplierId AND state <> 'retired'
          AND ($soldSince::timestamptz IS NULL OR phone IN (SELECT phone FROM touched))
      ), sold AS (
        SELECT a.phone, l.* FROM asked a CROSS JOIN LATERAL (
          SELECT service_code, count(*) AS sales, count(*) FILTER (WHERE ended_at > a.state_since) AS since FROM smpp_leases
          WHERE phone = a.phone AND supplier_id = a.supplier_id AND state = 'ended' AND ending <> 'unsold'
            AND ending = 'finished' AND ended_at > a.added_at GROUP BY service_code) l
      ), sums AS (
        SELECT phone, sum(sales) AS sales, sum(since) AS since,
          (array_agg(service_code ORDER BY service_code) FILTER (WHERE sales >= most))[1] AS full_for
        FROM sold LEFT JOIN limits USING (service_code) GROUP BY phone
      ), judged AS (
        SELECT s.phone, s.state, s.state_since, s.rest_until, CASE
            WHEN sums.sales >= $maxSales::integer THEN 'sold ' || sums.sales || ' times'
            WHEN sums.full_for IS NOT NULL THEN 'sold often enough for ' || sums.full_for
            WHEN s.added_at <= $now::timestamptz - make_interval(days => $maxAgeDays::integer) THEN 'older than ' || $maxAgeDays || ' days'
          END AS retire,
          CASE WHEN s.state = 'in_use' AND sums.since >= $restAfterSales::integer THEN 'sold ' || sums.since || ' times since its last rest'
          END AS rest
        FROM sims s LEFT JOIN sums USING (phone) WHERE s.supplier_id = $supplierId AND s.state <> 'retired'
      ), due AS (
        SELECT phone, state AS was, state_since AS was_since, COALESCE(retire, rest) AS reason,
          CASE WHEN retire IS NOT NULL THEN 'retired' WHEN rest IS NOT NULL THEN 'resting' ELSE 'in_use' END AS state
        FROM judged WHERE retire IS NOT NULL OR rest IS NOT NULL OR (state = 'resting' AND rest_until <= $now)
        LIMIT $limit
      ), locked AS MATERIALIZED (
        SELECT phone FROM sims WHERE phone IN (SELECT phone FROM due) FOR UPDATE SKIP LOCKED
      ), turned AS (
        UPDATE sims s SET state = due.state, reason = due.reason, state_since = $now,
          rest_until = CASE due.state WHEN 'resting' THEN $now::timestamptz + make_interval(hours => $restHours::integer) END
        FROM due JOIN locked USING (phone) WHERE s.phone = due.phone AND (s.state, s.state_since) = (due.was, due.was_since)
        RETURNING s.phone, s.state, s.reason
      ), out AS (
        UPDATE smpp_numbers n SET enabled = false FROM turned t WHERE n.phone = t.phone AND t.state <> 'in_use'
      ), back AS (
        UPDATE smpp_numbers n SET enabled = true, position = DEFAULT FROM turned t WHERE n.phone = t.phone AND t.state = 'in_use'
      )
      SELECT phone, state, reason FROM turned`,
    values: input,
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}
