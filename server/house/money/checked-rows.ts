import type { Db } from '#server/house/db/pool.ts'
import { CREDITS, deltaByKind, KINDS_AS_CASES, kindsFrom, STRAYED, type UserAccount } from './movement-kinds.ts'

/** Creates temporary views and tables of the rows that the invariants read: all, or those changed since `after`. */
export async function nameCheckedRows(tx: Db, { after }: { after: bigint | null }): Promise<void> {
  for (const text of after === null ? everything(await drawKey(tx)) : since(after)) await tx.query({ text })
}

export async function forgetCheckedRows(tx: Db): Promise<void> {
  await tx.query({ text: 'DISCARD TEMP' })
}

async function drawKey(tx: Db): Promise<bigint> {
  const { rows } = await tx.query<{ key: bigint }>({
    text: 'SELECT hashtextextended(gen_random_uuid()::text, 0) AS key',
  })
  return rows[0]?.key ?? 0n
}

const view = (name: string, text: string) => [`CREATE TEMP VIEW ${name} AS ${text}`]
const table = (name: string, text: string) => [`CREATE TEMP TABLE ${name} AS ${text}`, `ANALYZE ${name}`]

function everything(key: bigint): string[] {
  return [
    ...view('checked_transfers', 'SELECT * FROM transfers'),
    ...view('checked_activations', 'SELECT * FROM activations'),
    ...view('checked_charges', 'SELECT * FROM charges'),
    ...view('checked_rentals', 'SELECT * FROM rentals'),
    ...view('checked_preorders', 'SELECT * FROM preorders'),
    ...view('checked_moves', 'SELECT * FROM transfers'),
    ...view('checked_messages', 'SELECT * FROM messages'),
    ...view('checked_payments', 'SELECT * FROM payments'),
    ...view('checked_shares', 'SELECT * FROM referral_shares'),
    ...view('checked_withdrawals', 'SELECT * FROM referral_withdrawals'),
    ...tallies(key),
  ]
}

/** Selects rows that can have changed: those with a new transfer, and open ones, which the jobs' indexes find. */
function since(after: bigint): string[] {
  const moved = (column: string) => `SELECT ${column} AS id FROM checked_transfers WHERE ${column} IS NOT NULL`
  // LATERAL with OFFSET 0 forces index look-ups. Without statistics the planner would read the whole table.
  const rowsOf = (table: string, things: string, which: string) =>
    `SELECT found.* FROM ${things} thing CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE ${which} OFFSET 0) found`
  return [
    ...table('checked_transfers', `SELECT * FROM transfers WHERE id > ${after}`),
    ...table(
      'checked_activations',
      `SELECT * FROM activations WHERE id IN (${moved('activation_id')}
        UNION SELECT id FROM activations WHERE state IN ('waiting', 'received', 'waiting_again') AND expires_at IS NOT NULL
        UNION SELECT id FROM activations WHERE state = 'reserving')`,
    ),
    ...table(
      'checked_payments',
      `SELECT * FROM payments WHERE id IN (${moved('payment_id')}
        UNION SELECT id FROM payments WHERE next_check_at IS NOT NULL)`,
    ),
    ...table(
      'checked_shares',
      `SELECT * FROM referral_shares WHERE id IN (${moved('referral_share_id')}
        UNION SELECT id FROM referral_shares WHERE look_at IS NOT NULL)`,
    ),
    ...table(
      'checked_withdrawals',
      `SELECT * FROM referral_withdrawals WHERE id IN (${moved('referral_withdrawal_id')}
        UNION SELECT id FROM referral_withdrawals WHERE state IN ('asked', 'approved'))`,
    ),
    ...table(
      'involved_charges',
      `SELECT id, rental_id, preorder_id FROM charges WHERE id IN (${moved('charge_id')}
        UNION SELECT id FROM charges WHERE money = 'held')`,
    ),
    ...table(
      'checked_rentals',
      `SELECT * FROM rentals WHERE state IN ('reserving', 'active') OR id IN (SELECT rental_id FROM involved_charges)`,
    ),
    ...table(
      'checked_preorders',
      `SELECT * FROM preorders WHERE state IN ('waiting', 'buying') OR id IN (SELECT preorder_id FROM involved_charges)`,
    ),
    ...table(
      'checked_charges',
      `SELECT * FROM charges WHERE rental_id IN (SELECT id FROM checked_rentals)
        UNION ALL SELECT * FROM charges WHERE preorder_id IN (SELECT id FROM checked_preorders)`,
    ),
    ...table(
      'checked_moves',
      [
        rowsOf('transfers', 'checked_activations', 'activation_id = thing.id'),
        rowsOf('transfers', 'checked_charges', 'charge_id = thing.id'),
      ].join(' UNION ALL '),
    ),
    ...table(
      'checked_messages',
      [
        rowsOf('messages', 'checked_activations', 'activation_id = thing.id'),
        rowsOf('messages', 'checked_rentals', 'rental_id = thing.id'),
      ].join(' UNION ALL '),
    ),
  ]
}

export function balancesThrough(through: bigint): string {
  return `SELECT a.user_id, a.available_micros - COALESCE(later.available, 0) AS available, a.held_micros - COALESCE(later.held, 0) AS held,
      a.debt_micros + COALESCE(later.debt, 0) AS debt, a.referral_micros - COALESCE(later.referral, 0) AS referral
    FROM accounts a LEFT JOIN (
      SELECT user_id, sum(${deltaOf('available')}) AS available, sum(${deltaOf('held')}) AS held,
        sum(${deltaOf('debt')}) AS debt, sum(${deltaOf('referral')}) AS referral
      FROM transfers WHERE id > ${through} GROUP BY user_id
    ) later USING (user_id)`
}

/**
 * SQL for the change that a transfer makes to one account of a user. `debt` decreases when a user borrows, so its
 * balance is the negative of `debt_micros`.
 */
export function deltaOf(account: UserAccount): string {
  return `CASE '${account}' WHEN to_account THEN amount_micros WHEN from_account THEN -amount_micros ELSE 0 END`
}

/** SQL that is true if the order counts the message as one that the buyer pays for. */
export const COUNTED = `(given IS NULL OR given <> ALL ('{late,notice,folded}'::text[]))`

/** A block of `block_tally` covers 2^17 transfers. */
const BLOCK_BITS = 17

/**
 * Builds tables of sums, which are cheap to compare. A mark hashes the columns on which two tables must agree, so equal
 * sums mean equal rows. The key is new in each run, so that nobody can forge sums.
 */
function tallies(key: bigint): string[] {
  const markOf = (id: string) => `hashint8extended(${id}, ${key})`
  const mark = (id: string, micros: string, of = '') =>
    `hashint8extended(${id}, hashint8extended(${micros}, hashint4extended(${of}user_id, CASE ${of}currency WHEN 'rub' THEN ${key} ELSE ~(${key}) END)))`
  const marks = (name: string, id: string) =>
    ['hold', 'capture', 'release']
      .map((kind) => `sum(${mark(id, 'amount_micros', 't.')}) FILTER (WHERE kind = '${kind}') AS ${name}_${kind}`)
      .join(', ')
  const things = (table: string, more: string) =>
    `SELECT count(*) AS things, ${['captured', 'released']
      .map((money) => `sum(${mark('id', 'price_micros')}) FILTER (WHERE money = '${money}') AS ${money}`)
      .join(', ')}, sum(${mark('id', 'price_micros')}) AS held_once${more} FROM ${table}`
  return [
    ...table(
      'transfer_tally',
      `SELECT count(*) AS transfers, count(*) FILTER (WHERE amount_micros > 0 AND CASE kind ${KINDS_AS_CASES} ELSE false END) AS known,
        count(*) FILTER (WHERE t.currency = a.currency) AS in_currency, count(*) FILTER (WHERE kind = 'refund') AS refunds,
        count(*) FILTER (WHERE ${STRAYED}) AS strayed,
        ${marks('activation', 'activation_id')}, ${marks('charge', 'charge_id')}
      FROM transfers t LEFT JOIN accounts a USING (user_id)`,
    ),
    // The kind of a transfer suffices here, because `transfer_tally` proves that each kind uses its own accounts.
    ...table(
      'block_tally',
      `SELECT user_id, id >> ${BLOCK_BITS} AS block,
        sum_micros(${deltaByKind('available')}) AS available,
        sum_micros(CASE WHEN kind IN (${kindsFrom('available')}) THEN -amount_micros ELSE 0 END) AS taken,
        sum_micros(${deltaByKind('held')}) AS held, sum_micros(${deltaByKind('debt')}) AS debt,
        sum_micros(${deltaByKind('referral')}) AS referral,
        min(id) FILTER (WHERE kind IN (${kindsFrom('available')})) AS first_taken
      FROM transfers GROUP BY 1, 2`,
    ),
    // A credit without an idempotency key is left out, which only makes its block suspicious.
    ...table(
      'credits',
      `SELECT user_id, id, amount_micros FROM transfers WHERE kind IN (${CREDITS.join(', ')}) AND amount_micros > 0 AND idempotency_key IS NOT NULL`,
    ),
    ...table('doubtful_blocks', BLOCKS_IN_DOUBT),
    ...table(
      'activations_tally',
      things(
        'activations',
        `, sum(${markOf('id')} * sms_count::numeric) FILTER (WHERE sms_count > 0) AS message_marks,
        count(*) FILTER (WHERE (money = 'captured') <> (sms_count > 0)) AS unpaid, count(repeat_of) AS repeats,
        count(*) FILTER (WHERE supplier_id = (SELECT id FROM suppliers WHERE sandbox)) AS play`,
      ),
    ),
    ...table('charges_tally', things('charges', '')),
    ...table(
      'message_tally',
      `SELECT sum(${markOf('activation_id')}) AS marks FROM messages
        WHERE activation_id IS NOT NULL AND ${COUNTED}`,
    ),
  ]
}

/** SQL for blocks in which a balance may have been negative: they take more than the balance before them. */
const BLOCKS_IN_DOUBT = `SELECT b.user_id, b.block, b.before FROM (
    SELECT user_id, block, taken, first_taken, (sum(available) OVER lines - available)::bigint AS before
    FROM block_tally WINDOW lines AS (PARTITION BY user_id ORDER BY block ROWS UNBOUNDED PRECEDING)
  ) b LEFT JOIN credits c ON c.user_id = b.user_id AND c.id >> ${BLOCK_BITS} = b.block AND c.id < b.first_taken
  WHERE b.before + b.taken < 0
  GROUP BY b.user_id, b.block, b.before, b.taken HAVING b.before + b.taken + COALESCE(sum(c.amount_micros), 0) < 0`

export const BLOCK_OF = `id >> ${BLOCK_BITS}`
