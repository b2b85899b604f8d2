import { ACTIVE_STATES } from '#contract/activation.ts'
import { sqlList } from '#server/db/sql-list.ts'

const ACTIVE = sqlList(ACTIVE_STATES)
/** A buyer's numbers that may still get a code, as the condition of activations_user_open has it. */
export const ACTIVE_OF_USER = `state IN ('reserving', ${ACTIVE}) AND state <> 'reserving'`

/** For a query that has more to ask about the user: how many of his numbers are active. `userId` is an SQL expression. */
export function countActiveSql(userId: string): string {
  return `(SELECT count(*) FROM activations WHERE user_id = ${userId} AND ${ACTIVE_OF_USER})`
}

/** For a query that has more to ask about the user: how many of his rentals are active. `userId` is an SQL expression. */
export function countActiveRentalsSql(userId: string): string {
  return `(SELECT count(*) FROM rentals WHERE user_id = ${userId} AND state = 'active')`
}
