import type { Invariant } from './invariant.ts'
import type { HoldOf } from './settle-sql.ts'

type Held = { table: 'activations' | 'charges'; column: HoldOf; noun: 'activation' | 'charge'; one: string }

export const activationHolds = invariantsOf({
  table: 'activations',
  column: 'activation_id',
  noun: 'activation',
  one: 'an activation',
})

export const chargeHolds = invariantsOf({ table: 'charges', column: 'charge_id', noun: 'charge', one: 'a charge' })

function invariantsOf(held: Held): Invariant[] {
  return [movedOnce(held), holdFits(held), settlementFits(held), settledAfterHold(held), refundFits(held)]
}

function movedOnce(held: Held): Invariant {
  const { table, column, noun, one } = held
  return {
    name: `${one} is held once, settled at most once and refunded at most once`,
    counted: `SELECT count(*) FROM checked_${table}`,
    problems: `SELECT format('${noun} %s: %s holds, %s captures, %s releases, %s refunds', ${column}, holds, captures,
        releases, refunds) AS problem
      FROM (
        SELECT ${column}, count(*) FILTER (WHERE kind = 'hold') AS holds, count(*) FILTER (WHERE kind = 'capture') AS captures,
          count(*) FILTER (WHERE kind = 'release') AS releases, count(*) FILTER (WHERE kind = 'refund') AS refunds
        FROM checked_moves WHERE ${column} IS NOT NULL GROUP BY ${column}
      ) moves WHERE holds <> 1 OR captures + releases > 1 OR refunds > 1`,
    proof: `SELECT moves.holds AND refunds = 0 AS holds FROM transfer_tally, (${proofOfMoves(held)}) moves`,
  }
}

function holdFits(held: Held): Invariant {
  const { table, column, noun, one } = held
  return {
    name: `${one} holds its own price, of its buyer, in its currency`,
    counted: `SELECT count(*) FROM checked_${table}`,
    problems: `SELECT format('${noun} %s of user %s costs %s %s, but its hold is %s %s of user %s', a.id, a.user_id,
        a.price_micros, a.currency, COALESCE(h.amount_micros::text, 'missing'), h.currency, h.user_id) AS problem
      FROM checked_${table} a LEFT JOIN checked_moves h ON h.${column} = a.id AND h.kind = 'hold'
      WHERE (h.user_id, h.amount_micros, h.currency) IS DISTINCT FROM (a.user_id, a.price_micros, a.currency)`,
    proof: proofOfMoves(held),
  }
}

function settlementFits(held: Held): Invariant {
  const { table, column, noun, one } = held
  return {
    name: `captured means one capture of ${one}, released one release, held neither; each of the price, to its buyer`,
    counted: `SELECT count(*) FROM checked_${table}`,
    problems: `SELECT format('${noun} %s of user %s costs %s %s and is %s, but its settlement is %s of %s %s of user %s', a.id,
        a.user_id, a.price_micros, a.currency, a.money, COALESCE(s.kind, 'missing'), s.amount_micros, s.currency, s.user_id) AS problem
      FROM checked_${table} a LEFT JOIN checked_moves s ON s.${column} = a.id AND s.kind IN ('capture', 'release')
      WHERE CASE a.money
        WHEN 'held' THEN s.id IS NOT NULL
        WHEN 'captured' THEN (s.kind, s.user_id, s.amount_micros, s.currency)
          IS DISTINCT FROM ('capture', a.user_id, a.price_micros, a.currency)
        WHEN 'released' THEN (s.kind, s.user_id, s.amount_micros, s.currency)
          IS DISTINCT FROM ('release', a.user_id, a.price_micros, a.currency)
        ELSE true END`,
    proof: proofOfMoves(held),
  }
}

function settledAfterHold({ column, noun, one }: Held): Invariant {
  return {
    name: `the money of ${one} is held before it is settled, and captured before it is refunded`,
    counted: 'SELECT count(*) FROM checked_transfers',
    problems: `SELECT format('${noun} %s: transfer %s (%s) is not after transfer %s (%s)', thing, later_id,
        later, earlier_id, earlier) AS problem
      FROM (${[
        [`'hold'`, `'capture', 'release'`],
        [`'capture'`, `'refund'`],
      ]
        .map(
          ([
            first,
            then,
          ]) => `SELECT l.${column} AS thing, l.id AS later_id, l.kind AS later, e.id AS earlier_id, e.kind AS earlier
          FROM checked_moves l JOIN checked_moves e ON e.${column} = l.${column} AND e.id >= l.id
          WHERE l.kind IN (${then}) AND e.kind = ${first}`,
        )
        .join(' UNION ALL ')}) turned`,
  }
}

function refundFits({ table, column, noun, one }: Held): Invariant {
  return {
    name: `only ${one} that was captured is refunded, to its buyer, never more than its price`,
    counted: 'SELECT count(*) FROM checked_transfers',
    problems: `SELECT format('${noun} %s of user %s is %s for %s %s, but %s %s was refunded to user %s', r.${column},
        a.user_id, COALESCE(a.money, 'missing'), a.price_micros, a.currency, r.micros, r.currency, r.user_id) AS problem
      FROM (
        SELECT ${column}, user_id, currency, sum(amount_micros) AS micros FROM checked_moves
        WHERE kind = 'refund' AND ${column} IS NOT NULL GROUP BY ${column}, user_id, currency
      ) r LEFT JOIN ${table} a ON a.id = r.${column}
      WHERE a.money IS DISTINCT FROM 'captured' OR r.micros > a.price_micros OR (r.user_id, r.currency) <> (a.user_id, a.currency)`,
    proof: 'SELECT refunds = 0 AS holds FROM transfer_tally',
  }
}

/**
 * Returns SQL that compares hash sums of transfers and orders. Equal sums prove that each order has one hold and at
 * most one settlement.
 */
function proofOfMoves({ table, noun }: Held): string {
  const side = (kind: string, marks: string) =>
    `(SELECT ${noun}_${kind} FROM transfer_tally) IS NOT DISTINCT FROM (SELECT ${marks} FROM ${table}_tally)`
  return `SELECT ${[side('hold', 'held_once'), side('capture', 'captured'), side('release', 'released')].join(' AND ')} AS holds`
}
