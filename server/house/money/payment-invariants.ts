import type { Invariant } from './invariant.ts'

const PAYMENTS = 'SELECT count(*) FROM checked_payments'

const moved = (kinds: string) =>
  `COALESCE((SELECT sum(amount_micros) FROM transfers t WHERE t.payment_id = p.id AND t.kind IN (${kinds})), 0)`

const movedFor = (kinds: string) =>
  `COALESCE((SELECT sum(amount_micros) FROM transfers t WHERE t.payment_id = p.id AND t.kind IN (${kinds}) AND reversal_id IS NULL), 0)`

const creditedOnce: Invariant = {
  name: 'what arrived for a payment was credited once, to the account that asked for it',
  counted: PAYMENTS,
  problems: `SELECT format('payment %s of user %s: deposit %s of %s %s has %s credits of %s in all', p.id, p.user_id, d.id,
      d.amount_micros, d.currency, count(t.id), COALESCE(sum(t.amount_micros), 0)) AS problem
    FROM checked_payments p JOIN deposits d ON d.payment_id = p.id
      LEFT JOIN transfers t ON t.deposit_id = d.id AND t.kind IN ('topup', 'voucher')
    GROUP BY p.id, p.user_id, p.currency, p.gateway_id, d.id
    HAVING count(t.id) <> (d.amount_micros > 0)::integer OR sum(t.amount_micros) <> d.amount_micros OR min(t.payment_id) <> p.id OR min(t.user_id) <> p.user_id
      OR d.currency <> p.currency OR d.gateway_id <> p.gateway_id
    UNION ALL
    SELECT format('payment %s: %s was credited without a deposit', p.id, t.amount_micros)
    FROM checked_payments p JOIN transfers t ON t.payment_id = p.id AND t.kind IN ('topup', 'voucher') WHERE t.deposit_id IS NULL`,
}

/** Earlier releases rounded each deposit up to a whole cent. */
const roundedOnce: Invariant = {
  name: 'what arrived for a payment was rounded down to whole cents once, and nothing else was',
  counted: PAYMENTS,
  problems: `SELECT format('payment %s: deposit %s of %s was rounded by %s', p.id, d.id, d.amount_micros, COALESCE(sum(t.amount_micros), 0)) AS problem
    FROM checked_payments p JOIN deposits d ON d.payment_id = p.id
      LEFT JOIN transfers t ON t.deposit_id = d.id AND t.kind = 'rounding'
    GROUP BY p.id, d.id, d.amount_micros
    HAVING COALESCE(sum(t.amount_micros), 0) <> (10000 - d.amount_micros % 10000) % 10000
    UNION ALL
    SELECT format('payment %s: deposits leave %s in parts of a cent', p.id, sum(d.rest_micros))
    FROM checked_payments p JOIN deposits d ON d.payment_id = p.id
    GROUP BY p.id HAVING sum(d.rest_micros) NOT BETWEEN 0 AND 9999
    UNION ALL
    SELECT format('payment %s: %s were rounded without a deposit', p.id, t.amount_micros)
    FROM checked_payments p JOIN transfers t ON t.payment_id = p.id AND t.kind = 'rounding' WHERE t.deposit_id IS NULL`,
}

const stateFitsMoney: Invariant = {
  name: 'the state of a payment fits what arrived for it',
  counted: PAYMENTS,
  problems: `SELECT format('payment %s is %s: asked %s, arrived %s', id, state, amount_micros, arrived) AS problem
    FROM (SELECT p.*, ${moved(`'topup', 'voucher'`)} AS arrived FROM checked_payments p) p
    WHERE CASE WHEN state IN ('paid', 'refunded') THEN arrived < amount_micros AND state = 'paid' OR arrived = 0
      WHEN state = 'partial' THEN arrived = 0 OR arrived >= amount_micros
      WHEN state = 'disputed' THEN arrived = 0
      ELSE arrived > 0 END`,
}

const reversedOnce: Invariant = {
  name: 'what went back of a payment left its account once, with its share of bonus and fee, and came back where it failed',
  counted: PAYMENTS,
  problems: `SELECT format('reversal %s of payment %s (%s %s) of %s with a bonus of %s and a fee of %s: its transfers say %s, %s, %s', r.id, p.id, r.kind,
      r.state, r.amount_micros, r.bonus_micros, r.fee_micros, moves.money, moves.bonus, moves.fee) AS problem
    FROM checked_payments p JOIN reversals r ON r.payment_id = p.id CROSS JOIN LATERAL (
      SELECT COALESCE(sum(CASE WHEN kind IN ('payment_refund', 'dispute') THEN amount_micros
          WHEN kind IN ('payment_refund_failed', 'dispute_won') THEN -amount_micros END), 0) AS money,
        COALESCE(sum(CASE kind WHEN 'bonus_back' THEN amount_micros WHEN 'bonus' THEN -amount_micros END), 0) AS bonus,
        COALESCE(sum(CASE kind WHEN 'fee_back' THEN amount_micros WHEN 'fee' THEN -amount_micros END), 0) AS fee,
        count(*) FILTER (WHERE t.payment_id <> p.id OR t.user_id <> p.user_id) AS strangers
      FROM transfers t WHERE t.reversal_id = r.id
    ) moves
    WHERE (moves.money, moves.bonus, moves.fee, moves.strangers) IS DISTINCT FROM
      CASE WHEN r.state IN ('failed', 'won') THEN (0::numeric, 0::numeric, 0::numeric, 0::bigint)
        ELSE (r.amount_micros::numeric, r.bonus_micros::numeric, r.fee_micros::numeric, 0::bigint) END`,
}

/**
 * SQL for a payment with three sums: what arrived, what is left of it, and what its reversals changed. A reversal takes
 * back a part of the bonus and returns a part of the fee.
 */
const LEFT = `SELECT id, amount_micros, arrived, bonus, bonus_taken, fee, fee_given, GREATEST(arrived - reversed, 0) AS kept FROM (
      SELECT p.id, p.amount_micros, ${moved(`'topup', 'voucher'`)} AS arrived, ${movedFor(`'bonus'`)} AS bonus,
        ${movedFor(`'fee'`)} AS fee, COALESCE(sum(r.fee_micros), 0) AS fee_given,
        COALESCE(sum(r.amount_micros), 0) AS reversed, COALESCE(sum(r.bonus_micros), 0) AS bonus_taken
      FROM checked_payments p LEFT JOIN reversals r ON r.payment_id = p.id AND r.state NOT IN ('failed', 'won')
      GROUP BY p.id, p.amount_micros) sums`

/** Shares of a bonus or fee are rounded to cents for the service. In earlier releases the shares were exact. */
const sharesOfWhatIsLeft: Invariant = {
  name: 'a payment has the share of its bonus for what is left of what was asked for, and bears the fee of what is left',
  counted: PAYMENTS,
  problems: `SELECT format('payment %s: asked %s, arrived %s, left %s: of a bonus of %s were taken back %s, of a fee of %s given back %s', id, amount_micros, arrived,
      kept, bonus, bonus_taken, fee, fee_given) AS problem
    FROM (${LEFT}) p, LATERAL (SELECT div(bonus * LEAST(kept, amount_micros), amount_micros) AS bonus_left,
      CASE WHEN arrived = 0 THEN 0 ELSE div(fee * (arrived - kept), arrived) END AS fee_due) exact
    WHERE bonus_taken NOT IN (bonus - bonus_left, bonus - bonus_left + CASE WHEN bonus % 10000 = 0 THEN bonus_left % 10000 ELSE 0 END)
      OR fee_given NOT IN (fee_due, fee_due - CASE WHEN fee % 10000 = 0 THEN fee_due % 10000 ELSE 0 END)`,
}

const refundedWithin: Invariant = {
  name: 'no more than what arrived was refunded, and no bonus was taken back that was not given',
  counted: PAYMENTS,
  problems: `SELECT format('payment %s: arrived %s, refunded %s, bonus %s, taken back %s', id, arrived, refunded, bonus, bonus_back) AS problem
    FROM (SELECT p.id, ${moved(`'topup', 'voucher'`)} AS arrived, ${moved(`'bonus'`)} AS bonus, ${moved(`'bonus_back'`)} AS bonus_back,
      ${moved(`'payment_refund'`)} - ${moved(`'payment_refund_failed'`)} AS refunded FROM checked_payments p) p
    WHERE refunded > arrived OR bonus_back > bonus`,
}

/**
 * Compares each gateway's money in the books with its payments. The operator compares it with the gateway's statement.
 */
const cashByGateway: Invariant = {
  name: 'money in by each gateway is the sum of its deposits, less what was refunded and lost in disputes',
  counted: 'SELECT count(*) FROM gateways',
  problems: `SELECT format('gateway %s in %s: the books say %s, its payments %s', COALESCE(b.gateway_id, d.gateway_id),
      COALESCE(b.currency, d.currency), COALESCE(b.micros, 0), COALESCE(d.micros, 0)) AS problem
    FROM (
      SELECT p.gateway_id, t.currency, sum(CASE WHEN t.kind IN ('topup', 'voucher', 'payment_refund_failed', 'dispute_won')
        THEN t.amount_micros ELSE -t.amount_micros END) AS micros
      FROM transfers t JOIN payments p ON p.id = t.payment_id
      WHERE t.kind IN ('topup', 'voucher', 'payment_refund', 'payment_refund_failed', 'dispute', 'dispute_won') GROUP BY 1, 2
    ) b FULL JOIN (
      SELECT gateway_id, currency, sum(micros) AS micros FROM (
        SELECT gateway_id, currency, amount_micros AS micros FROM deposits
        UNION ALL SELECT gateway_id, currency, -amount_micros FROM reversals WHERE state NOT IN ('failed', 'won')
      ) parts GROUP BY 1, 2
    ) d ON (d.gateway_id, d.currency) = (b.gateway_id, b.currency)
    WHERE COALESCE(b.micros, 0) <> COALESCE(d.micros, 0)`,
}

export const paymentInvariants: readonly Invariant[] = [
  creditedOnce,
  roundedOnce,
  stateFitsMoney,
  reversedOnce,
  sharesOfWhatIsLeft,
  refundedWithin,
  cashByGateway,
]
