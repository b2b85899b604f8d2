import { STAFF_ROLES } from '#contract/staff/staff-constants.ts'
import type { Db } from '#server/house/db/pool.ts'
import { sqlList } from '#server/house/db/sql-list.ts'

const IN_THE_ROOM = `u.role IN (${sqlList(STAFF_ROLES)}) AND u.blocked_at IS NULL
    AND EXISTS (SELECT FROM two_factor f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL)`

export async function isStaff(db: Db, userId: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'staff-is',
    text: `SELECT FROM users u WHERE u.id = $1 AND ${IN_THE_ROOM}`,
    values: [userId],
  })
  return rowCount === 1
}

export async function isErased(db: Db, userId: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'staff-is-erased',
    text: 'SELECT FROM users WHERE id = $1 AND erased_at IS NOT NULL',
    values: [userId],
  })
  return rowCount === 1
}

/** Returns the name of a staff member who may answer the ticket; null for other users and for their own ticket. */
export async function findWriter(db: Db, input: { ticketId: number; staffId: number }): Promise<string | null> {
  const { rows } = await db.query<{ name: string }>({
    name: 'staff-writer',
    text: `SELECT COALESCE(NULLIF(u.name, ''), u.email, '#' || u.id) AS name FROM support_tickets t JOIN users u ON u.id = $2
      WHERE t.id = $1 AND t.user_id <> u.id`,
    values: [input.ticketId, input.staffId],
  })
  return rows[0]?.name ?? null
}

/** Returns names for actors of the audit log: `user:12` is a user; any other actor is its own name. */
export async function nameActors(db: Db, actors: readonly string[]): Promise<Map<string, string>> {
  const ids = actors.flatMap((actor) => /^user:(\d{1,9})$/.exec(actor)?.[1] ?? [])
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<{ id: number; name: string }>({
    name: 'staff-actors',
    text: `SELECT u.id, COALESCE(NULLIF(u.name, ''), u.email, '#' || u.id) AS name FROM users u WHERE u.id = ANY ($1::integer[])`,
    values: [ids],
  })
  return new Map(rows.map(({ id, name }) => [`user:${id}`, name]))
}

export async function listStaff(db: Db, limit: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'staff-list',
    text: `SELECT u.id FROM users u WHERE ${IN_THE_ROOM} ORDER BY u.id LIMIT $1`,
    values: [limit],
  })
  return rows.map(({ id }) => id)
}
