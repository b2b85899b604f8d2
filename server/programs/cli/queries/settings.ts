import type { Db } from '#server/house/db/pool.ts'

export async function setBuyingStopped(tx: Db, input: { stopped: boolean; now: Date }): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `INSERT INTO settings AS s (key, value, updated_at)
      SELECT 'buying_stopped', to_jsonb($1::boolean), $2::timestamptz
      WHERE $1 OR EXISTS (SELECT FROM settings WHERE key = 'buying_stopped')
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = $2 WHERE s.value <> excluded.value`,
    values: [input.stopped, input.now],
  })
  return rowCount === 1
}
