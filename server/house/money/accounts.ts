import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'

export type Account = { currency: Currency; availableMicros: bigint; heldMicros: bigint; debtMicros: bigint }

type AccountRow = { currency: Currency; available_micros: bigint; held_micros: bigint; debt_micros: bigint }

export async function findAccount(db: Db, userId: number): Promise<Account | null> {
  const { rows } = await db.query<AccountRow>({
    name: 'account-find',
    text: 'SELECT currency, available_micros, held_micros, debt_micros FROM accounts WHERE user_id = $1',
    values: [userId],
  })
  const row = rows[0]
  if (row === undefined) return null
  return {
    currency: row.currency,
    availableMicros: row.available_micros,
    heldMicros: row.held_micros,
    debtMicros: row.debt_micros,
  }
}

/** Alone: programs ask every few seconds, and what a reply has besides costs as much to read. null: no account. */
export async function findAvailableMicros(db: Db, userId: number): Promise<bigint | null> {
  const { rows } = await db.query<{ available_micros: bigint }>({
    name: 'account-find-available',
    text: 'SELECT available_micros FROM accounts WHERE user_id = $1',
    values: [userId],
  })
  return rows[0]?.available_micros ?? null
}

/** The currency is that of the zone its owner registered in, and never changes. */
export async function openAccount(db: Db, input: { userId: number; currency: Currency }): Promise<void> {
  await db.query({
    text: 'INSERT INTO accounts (user_id, currency) VALUES ($1, $2) ON CONFLICT (user_id) DO NOTHING',
    values: [input.userId, input.currency],
  })
}

/** Whose word about a number has weight: the account has paid for so many codes. */
const TRUSTED_CODES = 50
/** Among its latest purchases. */
const TRUSTED_AMONG = 1_000

/** SQL: the account of the user `buyer` is trusted. An attacker would have to pay for it. */
export function isTrusted(buyer: string): string {
  return `${TRUSTED_CODES} <= (SELECT count(*) FILTER (WHERE money = 'captured') FROM (SELECT money FROM activations latest
      WHERE latest.user_id = ${buyer} ORDER BY created_at DESC, id DESC LIMIT ${TRUSTED_AMONG}) latest)`
}

/**
 * SQL: what an account says of a number by giving it back still has weight (migrations/0272_word_weighs.sql). `giving`: the
 * activation that is being given back, by which the statement holds the account's lock; SQL too.
 */
export function isWeighed(buyer: string, { at, giving = 'NULL' }: { at: string; giving?: string }): string {
  return `word_weighs(${buyer}, ${at}::timestamptz, ${giving})`
}
