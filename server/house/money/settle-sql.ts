/**
 * SQL fragments that move money, for statements that change an order's state. Each fragment needs the value `$now`.
 * `source` names a CTE with id, user_id, price_micros and currency. Rows of one user are summed first, because UPDATE …
 * FROM applies only one of them. A statement may change an account only once.
 */

export type HoldOf = 'activation_id' | 'charge_id'

/** SQL that records a transfer from available to held. `debitForHold` decides whether the balance suffices. */
export function recordHold(source: string, of: HoldOf = 'activation_id'): string {
  return `hold_transfer AS (
    INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, ${of}, at)
    SELECT 'hold', user_id, 'available', 'held', price_micros, currency, id, $now FROM ${source}
  )`
}

/**
 * SQL for a CTE `payer`, with a row if the account had `$priceMicros`, owes nothing, and is not blocked. Its row lock
 * serialises purchases. The SQL needs `$userId` and `$currency`. `unless` is an SQL condition that prevents the
 * purchase.
 */
export function debitForHold(unless: string): string {
  return debit({ from: '', unless, returning: 'user_id' })
}

/** SQL as of `debitForHold`, but only if the CTE `sold` has its one row, which `payer` then returns too. */
export function debitForSale(sold: string, unless: string): string {
  return debit({ from: `FROM ${sold}`, unless, returning: `accounts.user_id, ${sold}.*` })
}

function debit({ from, unless, returning }: { from: string; unless: string; returning: string }): string {
  return `payer AS (
    UPDATE accounts
    SET available_micros = available_micros - $priceMicros, held_micros = held_micros + $priceMicros
    ${from}
    WHERE user_id = $userId AND currency = $currency AND available_micros >= $priceMicros AND debt_micros = 0
      AND NOT EXISTS (SELECT FROM users WHERE id = $userId AND blocked_at IS NOT NULL)
      AND NOT ${unless}
    RETURNING ${returning}
  )`
}

/**
 * SQL for a CTE `payer`: one change of the account releases the hold of `earlier` and holds `$priceMicros`. `earlier`
 * is a CTE with at most one locked row. `payer` has no row if the balance is too small, a debt or block exists, or
 * `unless` is true.
 */
export function debitInstead(earlier: string, unless: string): string {
  return `payer AS (
    UPDATE accounts
    SET available_micros = available_micros + ${earlier}.price_micros - $priceMicros,
        held_micros = held_micros - ${earlier}.price_micros + $priceMicros
    FROM ${earlier}
    WHERE accounts.user_id = $userId AND ${earlier}.user_id = $userId AND accounts.currency = $currency
      AND available_micros + ${earlier}.price_micros >= $priceMicros AND debt_micros = 0
      AND NOT EXISTS (SELECT FROM users WHERE id = $userId AND blocked_at IS NOT NULL)
      AND NOT ${unless}
    RETURNING accounts.user_id
  )`
}

/**
 * SQL that records two transfers, the release of an earlier hold and the new hold. The release comes first, because the
 * hold uses money that the release frees.
 */
export function recordInstead(moved: { freed: string; of: HoldOf; made: string }): string {
  const { freed, of, made } = moved
  const id = (column: HoldOf) => (column === of ? 'id' : 'NULL::bigint')
  return `instead_transfer AS (
    INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, charge_id, at)
    SELECT kind, user_id, from_account, to_account, price_micros, currency, activation_id, charge_id, $now
    FROM (
      SELECT 1 AS place, 'release' AS kind, 'held' AS from_account, 'available' AS to_account, user_id, price_micros,
        currency, ${id('activation_id')} AS activation_id, ${id('charge_id')} AS charge_id FROM ${freed}
      UNION ALL
      SELECT 2, 'hold', 'available', 'held', user_id, price_micros, currency, id, NULL FROM ${made}
    ) moves ORDER BY place
  )`
}

/** SQL that moves money from held to revenue. `source` has at most one row: a message belongs to one activation. */
export function captureHold(source: string): string {
  return `captured_account AS (
    UPDATE accounts SET held_micros = held_micros - ${source}.price_micros
    FROM ${source} WHERE accounts.user_id = ${source}.user_id
  ), captured_transfer AS (
    INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
    SELECT 'capture', user_id, 'held', 'revenue', price_micros, currency, id, $now FROM ${source}
  )`
}

export function releaseHolds(source: string, of: HoldOf = 'activation_id'): string {
  return `released_account AS (
    UPDATE accounts
    SET available_micros = available_micros + due.micros, held_micros = held_micros - due.micros
    FROM (SELECT user_id, sum(price_micros)::bigint AS micros FROM ${source} GROUP BY user_id) due
    WHERE accounts.user_id = due.user_id
  ), released_transfer AS (
    INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, ${of}, at)
    SELECT 'release', user_id, 'held', 'available', price_micros, currency, id, $now FROM ${source}
  )`
}

/**
 * SQL that releases the held price of `source` if `when` is true under the account's lock. The CTE `payee` then has a
 * row. `source` has at most one locked row. `when` must call a volatile function, which alone sees what was committed
 * before the lock.
 */
export function releaseIf(source: string, when: string): string {
  return `payee AS (
    UPDATE accounts
    SET available_micros = available_micros + ${source}.price_micros, held_micros = held_micros - ${source}.price_micros
    FROM ${source} WHERE accounts.user_id = ${source}.user_id AND ${when}
    RETURNING accounts.user_id
  ), released_transfer AS (
    INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
    SELECT 'release', user_id, 'held', 'available', price_micros, currency, id, $now FROM ${source} JOIN payee USING (user_id)
  )`
}

export function captureHolds(source: string, of: HoldOf): string {
  return `captured_account AS (
    UPDATE accounts SET held_micros = held_micros - due.micros
    FROM (SELECT user_id, sum(price_micros)::bigint AS micros FROM ${source} GROUP BY user_id) due
    WHERE accounts.user_id = due.user_id
  ), captured_transfer AS (
    INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, ${of}, at)
    SELECT 'capture', user_id, 'held', 'revenue', price_micros, currency, id, $now FROM ${source}
  )`
}
