import type { Db } from '#server/house/db/pool.ts'

type Sealed = Record<string, unknown>
type SealedRow = { id: number; secret: Sealed; previous_secret: Sealed | null }

export async function listSealed(db: Db, input: { after: number; limit: number }): Promise<SealedRow[]> {
  const { rows } = await db.query<SealedRow>({
    name: 'webhook-list-sealed',
    text: 'SELECT id, secret, previous_secret FROM webhook_endpoints WHERE id > $after ORDER BY id LIMIT $limit',
    values: input,
  })
  return rows
}

/** Stores secrets encrypted with the current key, unless the secrets were rotated meanwhile. */
export async function resealEndpoint(
  db: Db,
  input: { id: number; was: Sealed; fresh: Sealed; freshPrevious: Sealed | null },
): Promise<void> {
  const { id, was, fresh, freshPrevious } = input
  await db.query({
    name: 'webhook-reseal',
    text: `UPDATE webhook_endpoints SET secret = $fresh, previous_secret = $freshPrevious
      WHERE id = $id AND secret = $was::jsonb AND (previous_secret IS NULL) = ($freshPrevious::jsonb IS NULL)`,
    values: {
      id,
      was: JSON.stringify(was),
      fresh: JSON.stringify(fresh),
      freshPrevious: freshPrevious === null ? null : JSON.stringify(freshPrevious),
    },
  })
}
