import { guards, sequences } from './guards.ts'

/**
 * Something that must hold of the books, as SQL. `counted` counts what is looked at. `problems` returns one row
 * `problem` for each violation, in words, with amounts in micros; no row when all is well.
 */
export type Invariant = { name: string; counted: string; problems: string }

const ACCOUNTS = 'SELECT count(*) FROM accounts'
const TRANSFERS = 'SELECT count(*) FROM transfers'
const ACTIVATIONS = 'SELECT count(*) FROM activations'

/** Per user, what came in less what went out. */
const SUMS = `SELECT user_id,
    sum(CASE 'available' WHEN to_account THEN amount_micros WHEN from_account THEN -amount_micros ELSE 0 END) AS available,
    sum(CASE 'held' WHEN to_account THEN amount_micros WHEN from_account THEN -amount_micros ELSE 0 END) AS held
  FROM transfers GROUP BY user_id`

const accountsEqualTransfers: Invariant = {
  name: 'every account is the sum of its transfers',
  counted: ACCOUNTS,
  problems: `SELECT format('user %s: the account says available %s, held %s; its transfers say available %s, held %s',
      COALESCE(a.user_id, s.user_id), a.available_micros, a.held_micros, COALESCE(s.available, 0), COALESCE(s.held, 0)) AS problem
    FROM accounts a FULL JOIN (${SUMS}) s USING (user_id)
    WHERE (a.available_micros, a.held_micros) IS DISTINCT FROM (COALESCE(s.available, 0), COALESCE(s.held, 0))`,
}

const sumIsZero: Invariant = {
  name: 'all accounts of a currency, those of the house included, add up to zero',
  counted: 'SELECT count(DISTINCT currency) FROM accounts',
  problems: `SELECT format('%s: all accounts add up to %s', currency, sum(micros)) AS problem
    FROM (
      SELECT currency, available_micros + held_micros AS micros FROM accounts
      UNION ALL
      SELECT currency, CASE WHEN to_account IN ('available', 'held') THEN 0 ELSE amount_micros END
        - CASE WHEN from_account IN ('available', 'held') THEN 0 ELSE amount_micros END
      FROM transfers
    ) balances GROUP BY currency HAVING sum(micros) <> 0`,
}

const notNegative: Invariant = {
  name: 'no account is negative',
  counted: ACCOUNTS,
  problems: `SELECT format('user %s: available %s, held %s', user_id, available_micros, held_micros) AS problem
    FROM accounts WHERE available_micros < 0 OR held_micros < 0`,
}

/** Debits lock the account before their transfer gets its number, so the statement in that order never dips below zero. */
const neverNegative: Invariant = {
  name: 'no account was negative after any of its transfers',
  counted: TRANSFERS,
  problems: `SELECT format('user %s: after transfer %s available is %s, held is %s', user_id, id, available, held) AS problem
    FROM (
      SELECT user_id, id,
        sum(CASE 'available' WHEN to_account THEN amount_micros WHEN from_account THEN -amount_micros ELSE 0 END) OVER lines AS available,
        sum(CASE 'held' WHEN to_account THEN amount_micros WHEN from_account THEN -amount_micros ELSE 0 END) OVER lines AS held
      FROM transfers WINDOW lines AS (PARTITION BY user_id ORDER BY id ROWS UNBOUNDED PRECEDING)
    ) statement WHERE available < 0 OR held < 0`,
}

const heldEqualsOpen: Invariant = {
  name: 'what a user has held is the price of his activations whose money is held',
  counted: ACCOUNTS,
  problems: `SELECT format('user %s: held is %s, his open activations cost %s', user_id, COALESCE(a.held_micros, 0), COALESCE(o.micros, 0)) AS problem
    FROM accounts a FULL JOIN (
      SELECT user_id, sum(price_micros) AS micros FROM activations WHERE money = 'held' GROUP BY user_id
    ) o USING (user_id)
    WHERE COALESCE(a.held_micros, 0) <> COALESCE(o.micros, 0)`,
}

const knownKinds: Invariant = {
  name: 'every transfer is of a known kind, between the accounts of that kind, above zero',
  counted: TRANSFERS,
  problems: `SELECT format('transfer %s: %s of %s from %s to %s, activation %s', id, kind, amount_micros, from_account,
      to_account, COALESCE(activation_id::text, 'none')) AS problem
    FROM transfers WHERE amount_micros <= 0 OR (kind, from_account, to_account, activation_id IS NOT NULL) NOT IN (
      ('hold', 'available', 'held', true), ('capture', 'held', 'revenue', true), ('release', 'held', 'available', true),
      ('refund', 'revenue', 'available', true),
      ('credit', 'adjustments', 'available', false), ('debit', 'available', 'adjustments', false))`,
}

const oneCurrency: Invariant = {
  name: 'every transfer is in the currency of its account',
  counted: TRANSFERS,
  problems: `SELECT format('transfer %s of user %s is in %s, the account in %s', t.id, t.user_id, t.currency,
      COALESCE(a.currency, 'none')) AS problem
    FROM transfers t LEFT JOIN accounts a USING (user_id) WHERE a.currency IS DISTINCT FROM t.currency`,
}

const movedOnce: Invariant = {
  name: 'an activation is held once, settled at most once and refunded at most once',
  counted: ACTIVATIONS,
  problems: `SELECT format('activation %s: %s holds, %s captures, %s releases, %s refunds', activation_id, holds, captures,
      releases, refunds) AS problem
    FROM (
      SELECT activation_id, count(*) FILTER (WHERE kind = 'hold') AS holds, count(*) FILTER (WHERE kind = 'capture') AS captures,
        count(*) FILTER (WHERE kind = 'release') AS releases, count(*) FILTER (WHERE kind = 'refund') AS refunds
      FROM transfers WHERE activation_id IS NOT NULL GROUP BY activation_id
    ) moves WHERE holds <> 1 OR captures + releases > 1 OR refunds > 1`,
}

const holdFits: Invariant = {
  name: 'an activation holds its own price, of its buyer, in its currency',
  counted: ACTIVATIONS,
  problems: `SELECT format('activation %s of user %s costs %s %s, but its hold is %s %s of user %s', a.id, a.user_id,
      a.price_micros, a.currency, COALESCE(h.amount_micros::text, 'missing'), h.currency, h.user_id) AS problem
    FROM activations a LEFT JOIN transfers h ON h.activation_id = a.id AND h.kind = 'hold'
    WHERE (h.user_id, h.amount_micros, h.currency) IS DISTINCT FROM (a.user_id, a.price_micros, a.currency)`,
}

const settlementFits: Invariant = {
  name: 'captured means one capture, released one release, held neither; each of the price, to its buyer',
  counted: ACTIVATIONS,
  problems: `SELECT format('activation %s of user %s costs %s %s and is %s, but its settlement is %s of %s %s of user %s', a.id,
      a.user_id, a.price_micros, a.currency, a.money, COALESCE(s.kind, 'missing'), s.amount_micros, s.currency, s.user_id) AS problem
    FROM activations a LEFT JOIN transfers s ON s.activation_id = a.id AND s.kind IN ('capture', 'release')
    WHERE CASE a.money
      WHEN 'held' THEN s.id IS NOT NULL
      WHEN 'captured' THEN (s.kind, s.user_id, s.amount_micros, s.currency)
        IS DISTINCT FROM ('capture', a.user_id, a.price_micros, a.currency)
      WHEN 'released' THEN (s.kind, s.user_id, s.amount_micros, s.currency)
        IS DISTINCT FROM ('release', a.user_id, a.price_micros, a.currency)
      ELSE true END`,
}

const settledAfterHold: Invariant = {
  name: 'money is held before it is settled, and captured before it is refunded',
  counted: TRANSFERS,
  problems: `SELECT format('activation %s: transfer %s (%s) is not after transfer %s (%s)', later.activation_id, later.id,
      later.kind, earlier.id, earlier.kind) AS problem
    FROM transfers later JOIN transfers earlier ON earlier.activation_id = later.activation_id
    WHERE earlier.id >= later.id AND ((earlier.kind = 'hold' AND later.kind IN ('capture', 'release'))
      OR (earlier.kind = 'capture' AND later.kind = 'refund'))`,
}

const refundFits: Invariant = {
  name: 'only what was captured is refunded, to its buyer, never more than its price',
  counted: `SELECT count(*) FROM transfers WHERE kind = 'refund'`,
  problems: `SELECT format('activation %s of user %s is %s for %s %s, but %s %s was refunded to user %s', r.activation_id,
      a.user_id, COALESCE(a.money, 'missing'), a.price_micros, a.currency, r.micros, r.currency, r.user_id) AS problem
    FROM (
      SELECT activation_id, user_id, currency, sum(amount_micros) AS micros FROM transfers WHERE kind = 'refund'
      GROUP BY activation_id, user_id, currency
    ) r LEFT JOIN activations a ON a.id = r.activation_id
    WHERE a.money IS DISTINCT FROM 'captured' OR r.micros > a.price_micros OR (r.user_id, r.currency) <> (a.user_id, a.currency)`,
}

const moneyFitsState: Invariant = {
  name: 'where the money is fits the state of the activation',
  counted: ACTIVATIONS,
  problems: `SELECT format('activation %s is %s, its money %s', id, state, money) AS problem FROM activations
    WHERE (state, money) NOT IN (('reserving', 'held'), ('waiting', 'held'), ('received', 'captured'),
      ('waiting_again', 'captured'), ('finished', 'captured'), ('cancelled', 'released'), ('expired', 'released'),
      ('used', 'released'), ('failed', 'released'))`,
}

const paidForMessages: Invariant = {
  name: 'a message was given exactly where the money was captured',
  counted: ACTIVATIONS,
  problems: `SELECT format('activation %s: its money is %s, %s messages are counted, %s are stored', a.id, a.money, a.sms_count,
      COALESCE(m.stored, 0)) AS problem
    FROM activations a LEFT JOIN (
      SELECT activation_id, count(*) AS stored FROM messages WHERE activation_id IS NOT NULL GROUP BY activation_id
    ) m ON m.activation_id = a.id
    WHERE (a.money = 'captured') <> (a.sms_count > 0) OR a.sms_count <> COALESCE(m.stored, 0)`,
}

const burntNumbers: Invariant = {
  name: 'a number that had a code or was used is not for sale again for that service',
  counted: `SELECT count(*) FROM activations WHERE money = 'captured' OR state = 'used'`,
  problems: `SELECT format('activation %s is %s, but %s can be sold again for %s', a.id, a.state, a.phone, a.service_code) AS problem
    FROM activations a LEFT JOIN burnt_numbers b USING (phone, service_code)
    WHERE (a.money = 'captured' OR a.state = 'used') AND b.phone IS NULL`,
}

/**
 * All that must hold. The indexes and constraints of the tables make most violations impossible, but these recount from
 * the rows and do not rely on them; the last two make sure that the guards themselves are still there.
 */
export const INVARIANTS: readonly Invariant[] = [
  accountsEqualTransfers,
  sumIsZero,
  notNegative,
  neverNegative,
  heldEqualsOpen,
  knownKinds,
  oneCurrency,
  movedOnce,
  holdFits,
  settlementFits,
  settledAfterHold,
  refundFits,
  moneyFitsState,
  paidForMessages,
  burntNumbers,
  guards,
  sequences,
]
