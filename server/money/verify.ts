import type { Db, Pool } from '#server/db/pool.ts'
import { transaction } from '#server/db/transaction.ts'
import type { Invariant } from './invariant.ts'
import { INVARIANTS } from './invariants.ts'

export type LedgerCheck = {
  name: string
  /** How many accounts, transfers or activations were looked at. */
  checked: number
  /** How many of them are wrong. */
  wrong: number
  /** The first few in words. */
  problems: string[]
}
export type LedgerReport = { ok: boolean; checks: LedgerCheck[] }

const PROBLEMS_SHOWN = 20

/**
 * Recounts the books from the first transfer on, and compares them with every balance and every activation. One
 * snapshot, which nothing waits for: right also while purchases go on.
 */
export async function verifyLedger(pool: Pool): Promise<LedgerReport> {
  return transaction(pool, async (tx) => {
    await tx.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY' })
    return checkBooks(tx)
  })
}

/** The same inside a transaction of the caller's, which must be REPEATABLE READ unless nobody else writes. */
export async function checkBooks(tx: Db): Promise<LedgerReport> {
  // The limits of the pool are meant for purchases: this reads everything there is.
  await tx.query({ text: `SELECT set_config('statement_timeout', '0', true), set_config('work_mem', '128MB', true)` })
  const checks: LedgerCheck[] = []
  for (const invariant of INVARIANTS) checks.push(await check(tx, invariant))
  return { ok: checks.every(({ wrong }) => wrong === 0), checks }
}

async function check(tx: Db, { name, counted, problems }: Invariant): Promise<LedgerCheck> {
  const count = await tx.query<{ count: bigint }>({ text: counted })
  const found = await tx.query<{ problem: string; wrong: bigint }>({
    text: `SELECT problem, count(*) OVER () AS wrong FROM (${problems}) violations LIMIT ${PROBLEMS_SHOWN}`,
  })
  return {
    name,
    checked: Number(count.rows[0]?.count ?? 0n),
    wrong: Number(found.rows[0]?.wrong ?? 0n),
    problems: found.rows.map(({ problem }) => problem),
  }
}
