import { STAFF_ROLES } from '#contract/staff/staff-constants.ts'
import type { Db } from '#server/db/pool.ts'
import { sqlList } from '#server/db/sql-list.ts'

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

/** The account was deleted. */
export async function isErased(db: Db, userId: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'staff-is-erased',
    text: 'SELECT FROM users WHERE id = $1 AND erased_at IS NOT NULL',
    values: [userId],
  })
  return rowCount === 1
}

export async function listStaff(db: Db, limit: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'staff-list',
    text: `SELECT u.id FROM users u WHERE ${IN_THE_ROOM} ORDER BY u.id LIMIT $1`,
    values: [limit],
  })
  return rows.map(({ id }) => id)
}
