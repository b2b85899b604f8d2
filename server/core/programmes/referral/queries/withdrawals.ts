import type { Currency } from '#contract/money.ts'
import type { WithdrawalState } from '#contract/programmes/referral.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'
import { withdrawalOpen } from '#server/house/errors/payment-errors.ts'

export type WithdrawalRow = {
  id: bigint
  user_id: number
  amount_micros: bigint
  currency: Currency
  target: 'balance' | 'address'
  network: string | null
  address: string | null
  tx: string | null
  state: WithdrawalState
  input_hash: string | null
  created_at: Date
  changed_at: Date
}

const COLUMNS = `id, user_id, amount_micros, currency, target, network, address, tx, state, input_hash, created_at, changed_at`

export type NewWithdrawal = Pick<
  WithdrawalRow,
  'user_id' | 'amount_micros' | 'currency' | 'target' | 'network' | 'address' | 'state' | 'input_hash'
> & { idempotency_key: string | null; now: Date }

/** Stores a withdrawal. Throws WITHDRAWAL_OPEN if one to a wallet address is open. The account must be locked. */
export async function insertWithdrawal(tx: Db, input: NewWithdrawal): Promise<WithdrawalRow> {
  const { rows } = await tx
    .query<WithdrawalRow>({
      name: 'referral-withdrawal-insert',
      text: `INSERT INTO referral_withdrawals (user_id, amount_micros, currency, target, network, address, state, input_hash,
          idempotency_key, created_at, changed_at)
        VALUES ($user_id, $amount_micros, $currency, $target, $network, $address, $state, $input_hash, $idempotency_key, $now, $now)
        RETURNING ${COLUMNS}`,
      values: input,
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'referral_withdrawals_one_open') ? withdrawalOpen() : error
    })
  const row = rows[0]
  if (row === undefined) throw new Error('a withdrawal was not inserted')
  return row
}

export async function findWithdrawalByKey(
  db: Db,
  input: { userId: number; key: string },
): Promise<WithdrawalRow | null> {
  const { rows } = await db.query<WithdrawalRow>({
    name: 'referral-withdrawal-by-key',
    text: `SELECT ${COLUMNS} FROM referral_withdrawals WHERE user_id = $userId AND idempotency_key = $key`,
    values: input,
  })
  return rows[0] ?? null
}

export async function findOpenWithdrawal(db: Db, userId: number): Promise<WithdrawalRow | null> {
  const { rows } = await db.query<WithdrawalRow>({
    name: 'referral-withdrawal-open',
    text: `SELECT ${COLUMNS} FROM referral_withdrawals WHERE user_id = $1 AND state IN ('asked', 'approved')`,
    values: [userId],
  })
  return rows[0] ?? null
}

const BEFORE: Record<Exclude<WithdrawalState, 'asked'>, readonly WithdrawalState[]> = {
  approved: ['asked'],
  paid: ['approved'],
  refused: ['asked', 'approved'],
}

export async function moveWithdrawal(
  tx: Db,
  input: { id: bigint; to: 'approved' | 'paid' | 'refused'; txId: string | null; now: Date },
): Promise<WithdrawalRow | null> {
  const { rows } = await tx.query<WithdrawalRow>({
    name: 'referral-withdrawal-move',
    text: `UPDATE referral_withdrawals SET state = $to, tx = $txId, changed_at = $now
      WHERE id = $id AND target = 'address' AND state = ANY ($before) RETURNING ${COLUMNS}`,
    values: { ...input, before: BEFORE[input.to] },
  })
  return rows[0] ?? null
}

type Wanted = { userId: number; search: string | null }

const WANTED = `user_id = $userId AND ($search::text IS NULL OR id::text LIKE $search OR address ILIKE $search OR tx ILIKE $search)`

export async function listWithdrawals(
  db: Db,
  input: Wanted & { offset: number; limit: number },
): Promise<WithdrawalRow[]> {
  const { rows } = await db.query<WithdrawalRow>({
    name: 'referral-withdrawals-list',
    text: `SELECT ${COLUMNS} FROM referral_withdrawals WHERE ${WANTED} ORDER BY id DESC OFFSET $offset LIMIT $limit`,
    values: input,
  })
  return rows
}

export async function countWithdrawals(db: Db, input: Wanted): Promise<number> {
  const { rows } = await db.query<{ count: bigint }>({
    name: 'referral-withdrawals-count',
    text: `SELECT count(*) FROM referral_withdrawals WHERE ${WANTED}`,
    values: input,
  })
  return Number(rows[0]?.count ?? 0n)
}
