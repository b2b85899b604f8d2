import type { Db } from '#server/house/db/pool.ts'

/**
 * SQL: true if the supplier's charge for activation `a`, which no buyer paid, began with a message that was no code.
 */
export const BY_JUNK = `(a.notice_at IS NOT NULL
          OR EXISTS (SELECT FROM used_reports u WHERE u.activation_id = a.id AND u.by_supplier))`

/** The maximum number of messages without a code that count for one account, because the buyer may have sent them. */
const MOST_OF_BUYER = 3

export type Losing = { supplierId: number; losses: number }

/**
 * Lists healthy suppliers that charged at least `most` messages without a code, and at least one for each `codes`
 * codes. It counts since `since` or the last judgement, whichever is later.
 */
export async function listLosing(db: Db, input: { since: Date; most: number; codes: number }): Promise<Losing[]> {
  const { rows } = await db.query<Losing>({
    name: 'health-losing',
    text: `WITH lost AS (
        SELECT r.supplier_id, a.user_id, LEAST(count(*), ${MOST_OF_BUYER}) AS losses
        FROM resold_orders r LEFT JOIN supplier_standings s USING (supplier_id)
        JOIN activations a ON a.phone = r.phone AND a.supplier_id = r.supplier_id AND r.reference = a.id || '-' || a.attempt
        WHERE r.is_loss AND r.ended_at > GREATEST($since, s.judged_from) AND COALESCE(s.state, 'sound') = 'sound' AND ${BY_JUNK}
        GROUP BY r.supplier_id, a.user_id
      ) SELECT supplier_id AS "supplierId", sum(losses)::integer AS losses FROM lost
      GROUP BY supplier_id HAVING sum(losses) >= $most AND sum(losses) * $codes >= (SELECT count(*) FROM activations a
        WHERE a.supplier_id = lost.supplier_id AND a.outcome_at > $since AND a.first_code_at IS NOT NULL)`,
    values: input,
  })
  return rows
}
