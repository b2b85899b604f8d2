/**
 * SQL for the `unless` of a statement that holds money (money/settle-sql.ts); true refuses the purchase. The statement
 * locks the account, so limits hold under concurrency (migrations/0033_limits.sql).
 */

/** Defaults for accounts without limits of their own; null means none. */
export type PurchaseLimits = { openNumbers: number | null; daySpendMicros: bigint | null }

/** Needs `$userId`, `$serviceCode`, `$countryId`, `$now`. */
export const PAIR_CLOSED = `(EXISTS (SELECT FROM services WHERE code = $serviceCode AND blocked_at IS NOT NULL)
      OR EXISTS (SELECT FROM purchase_pauses WHERE user_id = $userId AND service_code = $serviceCode
        AND country_id = $countryId AND until > $now))`

/** `opensNumber` false: an extension. `besides`: SQL for an activation that the statement ends. */
type Counted = { opensNumber?: boolean; besides?: string }

/** Needs the columns of `accounts`, `$userId`, `$priceMicros`, `$now` and `limitValues`. */
export function limitReached(counted: Counted = {}): string {
  return `(${reachedLimit(counted)} IS NOT NULL)`
}

/** `open_numbers`, `day_spend` or null. */
export function reachedLimit({ opensNumber = true, besides = 'NULL' }: Counted): string {
  const open = opensNumber ? 'COALESCE(accounts.open_numbers_limit, $openLimit::integer)' : 'NULL'
  const day = 'COALESCE(accounts.day_spend_limit_micros, $dayLimit::bigint)'
  return `purchase_limit_reached($userId, $priceMicros::bigint, $now::timestamptz, ${open}, ${day}, ${besides})`
}

/** The API key that buys may not spend that much, or is revoked. Needs `$apiKeyId`, `$priceMicros` and `$now`. */
export function keyRefuses(besides = 'NULL'): string {
  return `($apiKeyId::integer IS NOT NULL AND key_refuses($apiKeyId::integer, $priceMicros::bigint, $now::timestamptz, ${besides}))`
}

/** With NULL the function could not skip the expensive sum of a day (migrations/0033_limits.sql). */
const NO_OPEN_LIMIT = 2_147_483_647
const NO_SPEND_LIMIT = 9_223_372_036_854_775_807n

export function limitValues(limits: PurchaseLimits): { openLimit: number; dayLimit: bigint } {
  return { openLimit: limits.openNumbers ?? NO_OPEN_LIMIT, dayLimit: limits.daySpendMicros ?? NO_SPEND_LIMIT }
}
