/**
 * The pieces of SQL that keep an account within its limits, for the `unless` of a statement that holds money
 * (money/settle-sql.ts): each is true when the purchase is not allowed. Exact under concurrency, because the statement
 * locks the buyer's account (migrations/0033_limits.sql). `explainLimits` says afterwards what it was.
 */

/** What the configuration allows every account that has no limit of its own; null: as much as it likes. */
export type PurchaseLimits = { openNumbers: number | null; daySpendMicros: bigint | null }

/** The service is blocked, or paused for this buyer in this country. Needs `$userId`, `$serviceCode`, `$countryId`, `$now`. */
export const PAIR_CLOSED = `(EXISTS (SELECT FROM services WHERE code = $serviceCode AND blocked_at IS NOT NULL)
      OR EXISTS (SELECT FROM purchase_pauses WHERE user_id = $userId AND service_code = $serviceCode
        AND country_id = $countryId AND until > $now))`

/** `opensNumber: false`: an extension. `besides`: an activation that the statement ends, as SQL. */
type Counted = { opensNumber?: boolean; besides?: string }

/**
 * One more purchase breaks a limit; stands where the columns of `accounts` are seen. Needs `$userId`, `$priceMicros`, `$now`
 * and `limitValues`.
 */
export function limitReached(counted: Counted = {}): string {
  return `(${reachedLimit(counted)} IS NOT NULL)`
}

/** Which limit it would break: `open_numbers`, `day_spend` or null. */
export function reachedLimit({ opensNumber = true, besides = 'NULL' }: Counted): string {
  const open = opensNumber ? 'COALESCE(accounts.open_numbers_limit, $openLimit::integer)' : 'NULL'
  const day = 'COALESCE(accounts.day_spend_limit_micros, $dayLimit::bigint)'
  return `purchase_limit_reached($userId, $priceMicros::bigint, $now::timestamptz, ${open}, ${day}, ${besides})`
}

/**
 * How "no limit" is written. With NULL the function could not skip the sum of a day's purchases, which costs a purchase
 * several times as much as all else (migrations/0033_limits.sql).
 */
const NO_OPEN_LIMIT = 2_147_483_647
const NO_SPEND_LIMIT = 9_223_372_036_854_775_807n

export function limitValues(limits: PurchaseLimits): { openLimit: number; dayLimit: bigint } {
  return { openLimit: limits.openNumbers ?? NO_OPEN_LIMIT, dayLimit: limits.daySpendMicros ?? NO_SPEND_LIMIT }
}
