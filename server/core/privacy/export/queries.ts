import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'

export type ExportRow = {
  id: bigint
  user_id: number
  state: 'waiting' | 'ready' | 'too_large' | 'failed'
  asked_at: Date
  ready_at: Date | null
  expires_at: Date | null
  bytes: bigint | null
}

const COLUMNS = 'id, user_id, state, asked_at, ready_at, expires_at, bytes'
/** All exports share one queue, so that they never occupy the workers of other jobs. */
const QUEUE = 'data-export'
/** Eight attempts to make an export take about an hour and a half. */
const MAX_ATTEMPTS = 8

/**
 * Stores an export and queues its job. Returns null if the user already has an export of this day that did not fail.
 */
export async function insertExport(db: Db, input: { userId: number; now: Date }): Promise<ExportRow | null> {
  const { rows } = await db.query<ExportRow>({
    name: 'data-export-insert',
    text: `WITH asked AS (
        INSERT INTO data_exports (user_id, asked_at, day) VALUES ($userId, $now, ($now::timestamptz AT TIME ZONE 'UTC')::date)
        ON CONFLICT ON CONSTRAINT data_exports_once_a_day DO UPDATE SET state = 'waiting', asked_at = EXCLUDED.asked_at
          WHERE data_exports.state = 'failed'
        RETURNING ${COLUMNS}
      ), queued AS (
        SELECT graphile_worker.add_job('export-data', json_build_object('exportId', id::text), queue_name := $queue,
          max_attempts := $attempts) FROM asked
      )
      SELECT asked.* FROM asked, queued`,
    values: { ...input, queue: QUEUE, attempts: MAX_ATTEMPTS },
  })
  return rows[0] ?? null
}

export async function findLastExport(db: Db, input: { userId: number; now: Date }): Promise<ExportRow | null> {
  const { rows } = await db.query<ExportRow>({
    name: 'data-export-last',
    text: `SELECT ${COLUMNS} FROM data_exports WHERE user_id = $1 AND (expires_at IS NULL OR expires_at > $2)
      ORDER BY day DESC LIMIT 1`,
    values: [input.userId, input.now],
  })
  return rows[0] ?? null
}

export async function findReadyExport(
  db: Db,
  input: { id: bigint; userId: number; now: Date },
): Promise<ExportRow | null> {
  const { rows } = await db.query<ExportRow>({
    name: 'data-export-ready',
    text: `SELECT ${COLUMNS} FROM data_exports
      WHERE id = $id AND user_id = $userId AND state = 'ready' AND expires_at > $now`,
    values: input,
  })
  return rows[0] ?? null
}

export async function findWaitingExport(db: Db, id: bigint): Promise<ExportRow | null> {
  const { rows } = await db.query<ExportRow>({
    name: 'data-export-waiting',
    text: `SELECT ${COLUMNS} FROM data_exports WHERE id = $1 AND state = 'waiting'`,
    values: [id],
  })
  return rows[0] ?? null
}

/** Deletes the chunks left by a process that crashed before it marked the file as ready. */
export async function dropChunks(tx: Db, exportId: bigint): Promise<void> {
  await tx.query({
    name: 'data-export-drop',
    text: 'DELETE FROM data_export_chunks WHERE export_id = $1',
    values: [exportId],
    limitMs: SLOW_LIMIT_MS,
  })
}

export async function insertChunk(tx: Db, input: { exportId: bigint; place: number; body: Buffer }): Promise<void> {
  await tx.query({
    name: 'data-export-chunk',
    text: 'INSERT INTO data_export_chunks (export_id, place, body) VALUES ($1, $2, $3)',
    values: [input.exportId, input.place, input.body],
    limitMs: SLOW_LIMIT_MS,
  })
}

export async function readChunk(db: Db, input: { exportId: bigint; place: number }): Promise<Buffer | null> {
  const { rows } = await db.query<{ body: Buffer }>({
    name: 'data-export-read',
    text: 'SELECT body FROM data_export_chunks WHERE export_id = $1 AND place = $2',
    values: [input.exportId, input.place],
  })
  return rows[0]?.body ?? null
}

export async function storeReady(
  tx: Db,
  input: { id: bigint; bytes: number; now: Date; expiresAt: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'data-export-store',
    text: `UPDATE data_exports SET state = 'ready', bytes = $bytes, ready_at = $now, expires_at = $expiresAt
      WHERE id = $id AND state = 'waiting'`,
    values: input,
  })
  return rowCount === 1
}

export async function storeTooLarge(db: Db, id: bigint): Promise<void> {
  await db.query({
    text: `UPDATE data_exports SET state = 'too_large' WHERE id = $1 AND state = 'waiting'`,
    values: [id],
  })
}

/** Marks exports as failed whose job has had its last try, also after a crash that left no error. */
export async function failUnmade(db: Db): Promise<{ id: bigint; user_id: number }[]> {
  const { rows } = await db.query<{ id: bigint; user_id: number }>({
    name: 'data-export-fail',
    text: `WITH failed AS (
        UPDATE data_exports e SET state = 'failed' WHERE state = 'waiting' AND NOT EXISTS (
          SELECT FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
          WHERE t.identifier = 'export-data' AND j.payload ->> 'exportId' = e.id::text
            AND (j.attempts < j.max_attempts OR j.locked_at IS NOT NULL))
        RETURNING id, user_id
      ), dropped AS (
        DELETE FROM data_export_chunks c USING failed WHERE c.export_id = failed.id
      )
      SELECT id, user_id FROM failed`,
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}
