import type { Db } from '#server/house/db/pool.ts'

const MOST_TRIES = 5

/** Stores updates with a queued job for each, which run one after another. Returns the number of new updates. */
export async function insertUpdates(db: Db, input: { ids: number[]; bodies: string[]; now: Date }): Promise<number> {
  const { rows } = await db.query<{ count: bigint }>({
    name: 'telegram-updates-store',
    text: `WITH fresh AS (
      INSERT INTO telegram_updates (update_id, body, received_at)
      SELECT id, body::jsonb, $now FROM unnest($ids::bigint[], $bodies::text[]) AS come (id, body)
      ON CONFLICT ON CONSTRAINT telegram_updates_pkey DO NOTHING
      RETURNING update_id
    ), jobs AS (
      SELECT count(graphile_worker.add_job('telegram-update', json_build_object('id', update_id::text),
        queue_name := 'telegram-updates', max_attempts := ${MOST_TRIES}))
      FROM (SELECT update_id FROM fresh ORDER BY update_id) ordered
    )
    SELECT count FROM jobs`,
    values: input,
  })
  return Number(rows[0]?.count ?? 0)
}

/**
 * Returns the newest stored update id. Returns null if none is stored, because Telegram may then have restarted its
 * ids.
 */
export async function findNewestUpdate(db: Db): Promise<number | null> {
  const { rows } = await db.query<{ newest: bigint | null }>({
    name: 'telegram-updates-newest',
    text: 'SELECT max(update_id) AS newest FROM telegram_updates',
  })
  const newest = rows[0]?.newest ?? null
  return newest === null ? null : Number(newest)
}

/** Finds a stored update. Returns null if it does not exist or was processed. */
export async function findWaitingUpdate(db: Db, id: string): Promise<Record<string, unknown> | null> {
  const { rows } = await db.query<{ body: Record<string, unknown> | null }>({
    name: 'telegram-update-find',
    text: 'SELECT body FROM telegram_updates WHERE update_id = $1 AND processed_at IS NULL',
    values: [id],
  })
  return rows[0]?.body ?? null
}

export async function markProcessed(db: Db, input: { id: string; now: Date }): Promise<void> {
  await db.query({
    name: 'telegram-update-processed',
    text: 'UPDATE telegram_updates SET processed_at = $now, body = NULL WHERE update_id = $id AND processed_at IS NULL',
    values: input,
  })
}
