/**
 * The pieces of SQL that keep an account within its limits, for the `unless` of a statement that holds money
 * (money/settle-sql.ts): each is true when the purchase is not allowed. Exact under concurrency, because the statement
 * locks the buyer's account (migrations/0033_limits.sql). `explainLimits` says afterwards what it was.
 */

/** Whether the service is blocked, or paused for this buyer in this country. The placeholders of the statement. */
export function pairClosedSql(given: { userId: string; serviceCode: string; countryId: string; at: string }): string {
  const { userId, serviceCode, countryId, at } = given
  return `(EXISTS (SELECT FROM services WHERE code = ${serviceCode} AND blocked_at IS NOT NULL)
      OR EXISTS (SELECT FROM purchase_pauses WHERE user_id = ${userId} AND service_code = ${serviceCode}
        AND country_id = ${countryId} AND until > ${at}))`
}

type Counted = {
  userId: string
  price: string
  at: string
  /** Placeholders of the configuration's limits (`limitsOf`): an integer, null where no number is opened, and a bigint. */
  openLimit: string | null
  dayLimit: string
  /** An activation that this statement ends. */
  besides?: string
}

/** Whether one more purchase breaks a limit of the buyer's; stands where the columns of `accounts` are seen. */
export function limitReachedSql(given: Counted): string {
  return `(${reachedLimitSql(given)} IS NOT NULL)`
}

/** Which limit it would break: `open_numbers`, `day_spend` or null. */
export function reachedLimitSql(given: Counted): string {
  const { userId, price, at, openLimit, dayLimit, besides = 'NULL' } = given
  const open = openLimit === null ? 'NULL' : `COALESCE(accounts.open_numbers_limit, ${openLimit})`
  const day = `COALESCE(accounts.day_spend_limit_micros, ${dayLimit})`
  return `purchase_limit_reached(${userId}, ${price}, ${at}, ${open}, ${day}, ${besides})`
}
