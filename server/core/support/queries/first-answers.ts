import type { Db } from '#server/house/db/pool.ts'

export type FirstAnswers = { tickets: number; median_seconds: number | null }

/**
 * Returns the median time until the first answer, over the newest tickets since a time. A ticket without an answer
 * counts with the time that it has waited, so that silence makes the median longer. A ticket that was closed without an
 * answer is left out, because nobody waits.
 */
export async function measureFirstAnswers(
  db: Db,
  input: { since: Date; now: Date; limit: number },
): Promise<FirstAnswers> {
  const { rows } = await db.query<FirstAnswers>({
    name: 'support-first-answers',
    text: `SELECT count(*)::integer AS tickets,
        percentile_disc(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM COALESCE(answered_at, $now::timestamptz) - created_at)::float8)
          AS median_seconds
      FROM (SELECT id, created_at, closed_at FROM support_tickets ORDER BY id DESC LIMIT $limit) newest
      LEFT JOIN LATERAL (SELECT m.created_at AS answered_at FROM support_messages m
        WHERE m.ticket_id = newest.id AND m.kind = 'staff' ORDER BY m.id LIMIT 1) answer ON true
      WHERE created_at > $since AND (answered_at IS NOT NULL OR closed_at IS NULL)`,
    values: input,
  })
  return rows[0] ?? { tickets: 0, median_seconds: null }
}
