import type { Db } from '#server/db/pool.ts'

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

/** Skips settings that the command line changed meanwhile. */
export async function resealGateway(
  db: Db,
  row: { id: number; settings_version: number; settings: Record<string, unknown> },
): Promise<void> {
  await db.query({
    text: 'UPDATE gateways SET settings = $3 WHERE id = $1 AND settings_version = $2',
    values: [row.id, row.settings_version, JSON.stringify(row.settings)],
  })
}

/** At most once a minute, because each call of a gateway ends in one of the two. */
export async function noteSuccess(db: Db, input: { id: number; now: Date; before: Date }): Promise<void> {
  await db.query({
    name: 'gateway-success',
    text: `UPDATE gateways SET last_success_at = $now WHERE id = $id
      AND (last_success_at IS NULL OR last_success_at < $before OR last_failure_at > last_success_at)`,
    values: input,
  })
}

export async function noteFailure(db: Db, input: { id: number; now: Date; failure: string }): Promise<void> {
  await db.query({
    name: 'gateway-failure',
    text: 'UPDATE gateways SET last_failure_at = $now, last_failure = $failure WHERE id = $id',
    values: input,
  })
}
