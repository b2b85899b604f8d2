/** Returns a CTE that deletes push subscriptions of ended sessions. `source` names a CTE of the sessions' ids. */
export function dropSubscriptions(source: string): string {
  return `unsubscribed AS (DELETE FROM push_subscriptions p USING ${source} ended WHERE p.session_id = ended.id)`
}
