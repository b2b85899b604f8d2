import { BY_JUNK } from '#server/core/catalog/health/queries/losses.ts'
import type { BoughtPair } from '#server/core/catalog/offers/outcome-queries.ts'
import type { Db } from '#server/house/db/pool.ts'

export type Suspect = BoughtPair & {
  purchases: number
  codes: number
  /** The length of the longest recent pause that staff did not lift; 0 means none. */
  lastPauseSeconds: number
  /** The suspect's part of the purchases and codes that the catalogue measures. */
  measured: { purchases: number; codes: number }
}

/**
 * Lists accounts with at least `minimum` purchases of a service and country. A cheap preselection uses hourly sums,
 * which may cover up to an hour too much.
 */
export async function listSuspects(
  db: Db,
  input: { pairs: readonly BoughtPair[]; since: Date; measuredSince: Date; minimum: number },
): Promise<Suspect[]> {
  const { rows } = await db.query<{
    user_id: number
    service_code: string
    country_id: number
    purchases: number
    codes: number
    last_pause: number
    measured_purchases: number
    measured_codes: number
  }>({
    text: `SELECT p.user_id, p.service_code, p.country_id, judged.purchases, judged.codes, before.last_pause,
        sums.measured_purchases, sums.measured_codes
      FROM unnest($userIds::integer[], $serviceCodes::text[], $countryIds::integer[]) AS p (user_id, service_code, country_id)
      CROSS JOIN LATERAL (
        SELECT COALESCE(sum(purchases) FILTER (WHERE hour >= date_trunc('hour', $since::timestamptz, 'UTC')), 0) AS recently,
          COALESCE(sum(purchases), 0)::integer AS measured_purchases, COALESCE(sum(codes), 0)::integer AS measured_codes
        FROM user_hours WHERE user_id = p.user_id AND hour >= $measuredSince AND mode = 'activation'
          AND service_code = p.service_code AND country_id = p.country_id
      ) sums
      CROSS JOIN LATERAL (
        SELECT greatest(max(until), $since) AS since,
          COALESCE(extract(epoch FROM max(until - began_at) FILTER (WHERE until > $since AND lifted_at IS NULL)), 0)::integer AS last_pause
        FROM purchase_pauses
        WHERE user_id = p.user_id AND service_code = p.service_code AND country_id = p.country_id
      ) before
      CROSS JOIN LATERAL (
        SELECT count(*)::integer AS purchases, count(first_code_at)::integer AS codes FROM activations
        WHERE user_id = p.user_id AND created_at > before.since AND service_code = p.service_code
          AND country_id = p.country_id AND outcome_at IS NOT NULL AND operator IS NOT NULL
      ) judged
      WHERE sums.recently >= $minimum AND judged.purchases >= $minimum`,
    values: {
      ...input,
      userIds: input.pairs.map((pair) => pair.userId),
      serviceCodes: input.pairs.map((pair) => pair.serviceCode),
      countryIds: input.pairs.map((pair) => pair.countryId),
    },
  })
  return rows.map((row) => ({
    userId: row.user_id,
    serviceCode: row.service_code,
    countryId: row.country_id,
    purchases: row.purchases,
    codes: row.codes,
    lastPauseSeconds: row.last_pause,
    measured: { purchases: row.measured_purchases, codes: row.measured_codes },
  }))
}

/** Returns the longest pause since `since` in seconds, or 0 if there was none or staff lifted it. */
export async function findLastPause(db: Db, pair: BoughtPair & { since: Date }): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>({
    text: `SELECT COALESCE(extract(epoch FROM max(until - began_at)), 0)::integer AS seconds FROM purchase_pauses
      WHERE user_id = $userId AND service_code = $serviceCode AND country_id = $countryId AND until > $since
        AND lifted_at IS NULL`,
    values: pair,
  })
  return rows[0]?.seconds ?? 0
}

export type Loser = BoughtPair & { losses: number; lastPauseSeconds: number }

/**
 * Lists accounts that ended more than `most` resold numbers of any service, although the supplier charged us for the
 * codes. Only the time since the last pause of this service and country counts. A loss by a junk message counts a
 * third, because the account is seldom to blame for it.
 */
export async function listLosers(
  db: Db,
  input: { pairs: readonly BoughtPair[]; since: Date; most: number },
): Promise<Loser[]> {
  const { rows } = await db.query<BoughtPair & { losses: number; lastPauseSeconds: number }>({
    text: `SELECT p.user_id AS "userId", p.service_code AS "serviceCode", p.country_id AS "countryId", lost.losses,
        before.last_pause AS "lastPauseSeconds"
      FROM unnest($userIds::integer[], $serviceCodes::text[], $countryIds::integer[]) AS p (user_id, service_code, country_id)
      CROSS JOIN LATERAL (
        SELECT greatest(max(until), $since) AS since,
          COALESCE(extract(epoch FROM max(until - began_at) FILTER (WHERE until > $since AND lifted_at IS NULL)), 0)::integer AS last_pause
        FROM purchase_pauses
        WHERE user_id = p.user_id AND service_code = p.service_code AND country_id = p.country_id
      ) before
      CROSS JOIN LATERAL (
        SELECT (count(*) FILTER (WHERE NOT ${BY_JUNK}) + count(*) FILTER (WHERE ${BY_JUNK}) / 3)::integer AS losses FROM activations a
          JOIN resold_orders r ON r.supplier_id = a.supplier_id AND r.reference = a.id || '-' || a.attempt AND r.is_loss
        WHERE a.user_id = p.user_id AND a.created_at > before.since AND a.state IN ('cancelled', 'used')
      ) lost
      WHERE lost.losses > $most`,
    values: {
      ...input,
      userIds: input.pairs.map((pair) => pair.userId),
      serviceCodes: input.pairs.map((pair) => pair.serviceCode),
      countryIds: input.pairs.map((pair) => pair.countryId),
    },
  })
  return rows
}

export async function insertPause(
  db: Db,
  pause: BoughtPair & { purchases: number; codes: number; now: Date; until: Date },
): Promise<void> {
  await db.query({
    text: `INSERT INTO purchase_pauses (user_id, service_code, country_id, purchases, codes, began_at, until)
      VALUES ($userId, $serviceCode, $countryId, $purchases, $codes, $now, $until)`,
    values: pause,
  })
}

/** Ends the open pauses of an account, optionally only those of one service or country. Returns the ended pauses. */
export async function liftPauses(
  tx: Db,
  input: { userId: number; serviceCode: string | null; countryId: number | null; now: Date },
): Promise<{ serviceCode: string; countryId: number; until: Date }[]> {
  const { rows } = await tx.query<{ service_code: string; country_id: number; was: Date }>({
    text: `WITH open AS (
      SELECT service_code, country_id, began_at, until FROM purchase_pauses
      WHERE user_id = $userId AND until > $now AND ($serviceCode::text IS NULL OR service_code = $serviceCode) AND ($countryId::integer IS NULL OR country_id = $countryId)
      FOR UPDATE
    )
    UPDATE purchase_pauses p SET until = $now, lifted_at = $now FROM open
    WHERE p.user_id = $userId AND (p.service_code, p.country_id, p.began_at) = (open.service_code, open.country_id, open.began_at)
    RETURNING p.service_code, p.country_id, open.until AS was`,
    values: input,
  })
  return rows.map((row) => ({ serviceCode: row.service_code, countryId: row.country_id, until: row.was }))
}
