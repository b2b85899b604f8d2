import type { Db } from '#server/house/db/pool.ts'

/** Returns true if the session's sign-in, or a later confirmation of identity, happened after `since`. */
export async function isConfirmedSince(db: Db, input: { sessionId: bigint; since: Date }): Promise<boolean> {
  const { rows } = await db.query<{ confirmed: boolean }>({
    text: 'SELECT coalesce(confirmed_at, created_at) > $2 AS confirmed FROM sessions WHERE id = $1',
    values: [input.sessionId, input.since],
  })
  return rows[0]?.confirmed ?? false
}

export async function confirmSession(db: Db, input: { sessionId: bigint; now: Date }): Promise<void> {
  await db.query({
    text: 'UPDATE sessions SET confirmed_at = $2 WHERE id = $1',
    values: [input.sessionId, input.now],
  })
}
