/**
 * Returns a CTE for the statement that ends sessions, so that their browsers get no more pushes. `source` names a CTE
 * of session ids.
 */
export function dropSubscriptions(source: string): string {
  return `unsubscribed AS (DELETE FROM push_subscriptions p USING ${source} ended WHERE p.session_id = ended.id)`
}
