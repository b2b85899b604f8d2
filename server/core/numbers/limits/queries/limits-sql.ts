/**
 * SQL for the `unless` of a statement that holds money (money/settle-sql.ts): true refuses the purchase. The statement
 * locks the account, so parallel purchases cannot exceed a limit (migrations/0033_limits.sql).
 */

/** The limits of accounts without limits of their own; null means no limit. */
export type PurchaseLimits = { openNumbers: number | null; daySpendMicros: bigint | null }

/**
 * SQL: true if the service is blocked or the pair of service and country is paused for the user. Needs `$userId`,
 * `$serviceCode`, `$countryId`, `$now`.
 */
export const PAIR_CLOSED = `(EXISTS (SELECT FROM services WHERE code = $serviceCode AND blocked_at IS NOT NULL)
      OR EXISTS (SELECT FROM purchase_pauses WHERE user_id = $userId AND service_code = $serviceCode
        AND country_id = $countryId AND until > $now))`

/** `opensNumber` is false for an extension. `besides` is SQL for the id of an activation that the statement ends. */
type Counted = { opensNumber?: boolean; besides?: string }

/** SQL: true if a limit refuses a purchase. Needs `accounts`, `$userId`, `$priceMicros`, `$now`, `limitValues`. */
export function limitReached(counted: Counted = {}): string {
  return `(${reachedLimit(counted)} IS NOT NULL)`
}

export function reachedLimit({ opensNumber = true, besides = 'NULL' }: Counted): string {
  const open = opensNumber ? 'COALESCE(accounts.open_numbers_limit, $openLimit::integer)' : 'NULL'
  const day = 'COALESCE(accounts.day_spend_limit_micros, $dayLimit::bigint)'
  return `purchase_limit_reached($userId, $priceMicros::bigint, $now::timestamptz, ${open}, ${day}, ${besides})`
}

/** SQL: true if the buying API key is revoked or may not spend the price. Needs `$apiKeyId`, `$priceMicros`, `$now`. */
export function keyRefuses(besides = 'NULL'): string {
  return `($apiKeyId::integer IS NOT NULL AND key_refuses($apiKeyId::integer, $priceMicros::bigint, $now::timestamptz, ${besides}))`
}

/** The values that mean no limit in `purchase_limit_reached` (migrations/0033_limits.sql). */
const NO_OPEN_LIMIT = 2_147_483_647
const NO_SPEND_LIMIT = 9_223_372_036_854_775_807n

export function limitValues(limits: PurchaseLimits): { openLimit: number; dayLimit: bigint } {
  return { openLimit: limits.openNumbers ?? NO_OPEN_LIMIT, dayLimit: limits.daySpendMicros ?? NO_SPEND_LIMIT }
}
