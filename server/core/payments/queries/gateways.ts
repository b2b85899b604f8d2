import type { Db } from '#server/house/db/pool.ts'

export type GatewayListRow = {
  id: number
  code: string
  kind: string
  settings: Record<string, unknown>
  settings_version: number
  paused_at: Date | null
}

export async function listGatewayRows(db: Db): Promise<GatewayListRow[]> {
  const text = 'SELECT id, code, kind, settings, settings_version, paused_at FROM gateways ORDER BY id'
  return (await db.query<GatewayListRow>({ text })).rows
}

/** Stores a gateway's settings, encrypted with the current key, unless the command line changed them meanwhile. */
export async function resealGateway(
  db: Db,
  row: { id: number; settings_version: number; settings: Record<string, unknown> },
): Promise<void> {
  await db.query({
    text: 'UPDATE gateways SET settings = $3 WHERE id = $1 AND settings_version = $2',
    values: [row.id, row.settings_version, JSON.stringify(row.settings)],
  })
}

/** Records a successful gateway call, at most once a minute. Returns the start of the outage that it ends, if any. */
export async function noteSuccess(db: Db, input: { id: number; now: Date; before: Date }): Promise<Date | null> {
  const { rows } = await db.query<{ failing_since: Date | null }>({
    name: 'gateway-success',
    text: `UPDATE gateways g SET last_success_at = $now, failing_since = NULL
      ${before('AND (last_success_at IS NULL OR last_success_at < $before OR failing_since IS NOT NULL)')}
      RETURNING was.failing_since`,
    values: input,
  })
  return rows[0]?.failing_since ?? null
}

export async function noteFailure(db: Db, input: { id: number; now: Date; failure: string }): Promise<boolean> {
  const { rows } = await db.query<{ failing_since: Date | null }>({
    name: 'gateway-failure',
    text: `UPDATE gateways g SET last_failure_at = $now, last_failure = $failure, failing_since = COALESCE(g.failing_since, $now) ${before()}
      RETURNING was.failing_since`,
    values: input,
  })
  return rows[0]?.failing_since === null
}

/** SQL: the gateway's row before the update, locked, because several calls of a gateway may end at once. */
function before(where = ''): string {
  return `FROM (SELECT id, failing_since FROM gateways WHERE id = $id ${where} FOR NO KEY UPDATE) was WHERE g.id = was.id`
}
