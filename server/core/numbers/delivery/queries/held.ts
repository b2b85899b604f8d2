import { ACTIVE_STATES } from '#contract/activation.ts'
import type { Db } from '#server/house/db/pool.ts'
import { isReal } from '#server/house/db/sandbox-sql.ts'
import { sqlList } from '#server/house/db/sql-list.ts'

/** Lists the phones of real (not sandbox) numbers held now, of at most `limit` activations and `limit` rentals. */
export async function listHeldPhones(db: Db, input: { limit: number }): Promise<string[]> {
  const { rows } = await db.query<{ phone: string }>({
    name: 'message-list-held-phones',
    text: `(SELECT phone FROM activations WHERE state IN (${sqlList(ACTIVE_STATES)}) AND phone IS NOT NULL AND ${isReal()} LIMIT $1)
      UNION (SELECT phone FROM rentals WHERE state = 'active' AND phone IS NOT NULL AND ${isReal()} LIMIT $1)`,
    values: [input.limit],
  })
  return rows.map(({ phone }) => phone)
}
