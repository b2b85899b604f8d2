import { ACTIVE_STATES } from '#contract/activation.ts'
import { sqlList } from '#server/house/db/sql-list.ts'

const ACTIVE = sqlList(ACTIVE_STATES)
/**
 * The SQL condition for active activations. It must equal the condition of the index activations_user_open, so that
 * PostgreSQL uses the index.
 */
export const ACTIVE_OF_USER = `state IN ('reserving', ${ACTIVE}) AND state <> 'reserving'`

export function countActiveSql(userId: string): string {
  return `(SELECT count(*) FROM activations WHERE user_id = ${userId} AND ${ACTIVE_OF_USER})`
}

export function countActiveRentalsSql(userId: string): string {
  return `(SELECT count(*) FROM rentals WHERE user_id = ${userId} AND state = 'active')`
}
