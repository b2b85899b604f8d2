/**
 * The pieces of SQL that move money, to be put into one statement with the change of state that causes them:
 * `WITH ended AS (UPDATE activations … RETURNING id, user_id, price_micros, currency), ${releaseHolds('ended', '$3')} SELECT …`.
 *
 * `source` names a CTE with the columns id, user_id, price_micros and currency; `at` is the placeholder of the time. Its
 * rows are activations, or, where `of` says so, rows of `charges`. Where there may be several, those of one user are summed
 * before the account is touched, because UPDATE … FROM would apply only one of them. A statement touches an account once.
 */

/** What a hold is of: the column of `transfers` that names it. */
export type HoldOf = 'activation_id' | 'charge_id'

/** available → held. The account was already debited by `debitForHold`, which decides whether there is money at all. */
export function recordHold(source: string, at: string, of: HoldOf = 'activation_id'): string {
  return `hold_transfer AS (
    INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, ${of}, at)
    SELECT 'hold', user_id, 'available', 'held', price_micros, currency, id, ${at} FROM ${source}
  )`
}

/**
 * The check and the debit in one: the CTE `payer` has one row when the account had the money and its owner is not
 * blocked, none otherwise. Two purchases at once wait for each other on the account's row, so money for one sells one.
 */
export function debitForHold(input: { userId: string; amount: string; currency: string; unless: string }): string {
  return `payer AS (
    UPDATE accounts
    SET available_micros = available_micros - ${input.amount}, held_micros = held_micros + ${input.amount}
    WHERE user_id = ${input.userId} AND currency = ${input.currency} AND available_micros >= ${input.amount}
      AND NOT EXISTS (SELECT FROM users WHERE id = ${input.userId} AND blocked_at IS NOT NULL)
      AND NOT ${input.unless}
    RETURNING user_id
  )`
}

/**
 * The same where money that is held already pays for something else: `earlier` names a CTE of one row at most, locked, with
 * user_id and price_micros, whose hold ends in this statement. The account changes once, by the difference.
 */
export function debitInstead(
  earlier: string,
  input: { userId: string; amount: string; currency: string; unless: string },
): string {
  const { userId, amount, currency, unless } = input
  return `payer AS (
    UPDATE accounts
    SET available_micros = available_micros + ${earlier}.price_micros - ${amount},
        held_micros = held_micros - ${earlier}.price_micros + ${amount}
    FROM ${earlier}
    WHERE accounts.user_id = ${userId} AND ${earlier}.user_id = ${userId} AND accounts.currency = ${currency}
      AND available_micros + ${earlier}.price_micros >= ${amount}
      AND NOT EXISTS (SELECT FROM users WHERE id = ${userId} AND blocked_at IS NOT NULL)
      AND NOT ${unless}
    RETURNING accounts.user_id
  )`
}

/**
 * The two transfers of `debitInstead`: the release of what was held, then the hold of what is bought. In this order, one
 * after another: with nothing available the other way round would have taken what was not there.
 */
export function recordInstead(input: { freed: string; of: HoldOf; made: string; at: string }): string {
  const { freed, of, made, at } = input
  const id = (column: HoldOf) => (column === of ? 'id' : 'NULL::bigint')
  return `instead_transfer AS (
    INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, charge_id, at)
    SELECT kind, user_id, from_account, to_account, price_micros, currency, activation_id, charge_id, ${at}
    FROM (
      SELECT 1 AS place, 'release' AS kind, 'held' AS from_account, 'available' AS to_account, user_id, price_micros,
        currency, ${id('activation_id')} AS activation_id, ${id('charge_id')} AS charge_id FROM ${freed}
      UNION ALL
      SELECT 2, 'hold', 'available', 'held', user_id, price_micros, currency, id, NULL FROM ${made}
    ) moves ORDER BY place
  )`
}

/**
 * held → revenue: what was sold has been delivered. `source` has one row at most: a message is for one activation, and
 * its buyer waits for this statement, so nothing is summed.
 */
export function captureHold(source: string, at: string): string {
  return `captured_account AS (
    UPDATE accounts SET held_micros = held_micros - ${source}.price_micros
    FROM ${source} WHERE accounts.user_id = ${source}.user_id
  ), captured_transfer AS (
    INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
    SELECT 'capture', user_id, 'held', 'revenue', price_micros, currency, id, ${at} FROM ${source}
  )`
}

/** held → available: nothing was delivered, the buyer has his money back. */
export function releaseHolds(source: string, at: string, of: HoldOf = 'activation_id'): string {
  return `released_account AS (
    UPDATE accounts
    SET available_micros = available_micros + due.micros, held_micros = held_micros - due.micros
    FROM (SELECT user_id, sum(price_micros)::bigint AS micros FROM ${source} GROUP BY user_id) due
    WHERE accounts.user_id = due.user_id
  ), released_transfer AS (
    INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, ${of}, at)
    SELECT 'release', user_id, 'held', 'available', price_micros, currency, id, ${at} FROM ${source}
  )`
}

/**
 * The same for one activation, where the account's lock decides: the CTE `payee` has a row when `when` holds. `source` names
 * a CTE of one locked row at most. `when` must ask a volatile function, which sees what was committed before the lock was given.
 */
export function releaseIf(source: string, input: { when: string; at: string }): string {
  return `payee AS (
    UPDATE accounts
    SET available_micros = available_micros + ${source}.price_micros, held_micros = held_micros - ${source}.price_micros
    FROM ${source} WHERE accounts.user_id = ${source}.user_id AND ${input.when}
    RETURNING accounts.user_id
  ), released_transfer AS (
    INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
    SELECT 'release', user_id, 'held', 'available', price_micros, currency, id, ${input.at} FROM ${source} JOIN payee USING (user_id)
  )`
}

/** held → revenue for many at once: charges whose time to be given back is over. */
export function captureHolds(source: string, at: string, of: HoldOf): string {
  return `captured_account AS (
    UPDATE accounts SET held_micros = held_micros - due.micros
    FROM (SELECT user_id, sum(price_micros)::bigint AS micros FROM ${source} GROUP BY user_id) due
    WHERE accounts.user_id = due.user_id
  ), captured_transfer AS (
    INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, ${of}, at)
    SELECT 'capture', user_id, 'held', 'revenue', price_micros, currency, id, ${at} FROM ${source}
  )`
}
