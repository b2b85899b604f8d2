/** Names of parameters, such as `$3`. */
type Parameters = { supplier: string; buyer: string; family: string; known: string; alone: string; now: string }

/**
 * The phones that leases close to a buyer, as `smpp_number_closed` (migrations/0071_unsold_leases.sql) finds them one by one.
 * Whoever looks at a whole range takes this set first, which costs a microsecond a lease: the function costs ten a number.
 * What is found is still asked about by the function, under the number's lock.
 */
export function closedNumbers({ supplier, buyer, family, known, alone, now }: Parameters): string {
  const shared = `(${alone} OR COALESCE(l.family, l.service_code) = ${family} OR NOT (${known} AND l.senders_known))`
  // No condition but the state for those leased: the small index of them is the only one that fits.
  return `SELECT l.phone FROM smpp_leases l WHERE l.state = 'leased' AND ${shared}
      UNION ALL SELECT l.phone FROM smpp_leases l WHERE l.supplier_id = ${supplier} AND l.state = 'ended'
        AND l.ending <> 'unsold' AND l.ended_at > ${now}::timestamptz - interval '20 minutes'
        AND l.buyer_id IS DISTINCT FROM ${buyer} AND ${shared}`
}
