/** Returns a CTE that ends browser pushes of ended sessions. `source` names a CTE of their ids. */
export function dropSubscriptions(source: string): string {
  return `unsubscribed AS (DELETE FROM push_subscriptions p USING ${source} ended WHERE p.session_id = ended.id)`
}
