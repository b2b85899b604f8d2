import type { Details } from '#server/core/notifications/kinds.ts'
import type { Db } from '#server/house/db/pool.ts'
import { NOTIFY_RUNS, notifySql } from './raise-sql.ts'

export async function insertNews(
  tx: Db,
  input: { words: Details['news']; link: string | null; now: Date },
): Promise<{ id: bigint; people: number }> {
  const { rows } = await tx.query<{ id: bigint; people: bigint }>({
    text: `INSERT INTO news (words, link, created_at, last_user_id)
      SELECT $words::jsonb, $link, $now, COALESCE(max(id), 0) FROM users
      RETURNING id, (SELECT count(*) FROM users WHERE sandbox_of IS NULL) AS people`,
    values: { ...input, words: JSON.stringify(input.words) },
  })
  const row = rows[0]
  if (row === undefined) throw new Error('inserting news returned nothing')
  return { id: row.id, people: Number(row.people) }
}

export const ANY_NEWS = `EXISTS (SELECT FROM news WHERE reached_user_id < last_user_id)`

/**
 * Sends the oldest unfinished news to its next recipients, in one statement, so that a crash repeats or skips nobody.
 */
export async function spreadNews(db: Db, input: { now: Date; limit: number }): Promise<number> {
  const { rows } = await db.query<{ count: bigint }>({
    name: 'news-spread',
    text: `WITH open AS (
      SELECT id, words, link, reached_user_id, last_user_id FROM news WHERE reached_user_id < last_user_id
      ORDER BY id LIMIT 1 FOR UPDATE
    ), people AS (
      SELECT u.id FROM users u, open
      WHERE u.id > open.reached_user_id AND u.id <= open.last_user_id AND u.erased_at IS NULL AND u.sandbox_of IS NULL ORDER BY u.id LIMIT $limit
    ), gone_on AS (
      UPDATE news SET reached_user_id = COALESCE((SELECT max(id) FROM people), open.last_user_id)
      FROM open WHERE news.id = open.id
    ), told AS (
      SELECT people.id AS user_id, 'news' AS kind, open.words AS details, open.link, 'news:' || open.id AS dedupe_key
      FROM people, open
    ), ${notifySql('told')}
    SELECT count(*) FROM people WHERE ${NOTIFY_RUNS}`,
    values: input,
  })
  return Number(rows[0]?.count ?? 0)
}
