import { HOUR } from '#contract/time.ts'
import type { Db, Pool } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { forgetCheckedRows, nameCheckedRows } from './checked-rows.ts'
import { appendCheckpoint, type Checkpoint, digestBalances, findCheckpoint, settledThrough } from './checkpoints.ts'
import type { Invariant } from './invariant.ts'
import { INVARIANTS } from './invariants.ts'

export type LedgerCheck = {
  name: string
  checked: number
  wrong: number
  problems: string[]
}
export type LedgerReport = {
  ok: boolean
  checks: LedgerCheck[]
  /** The checkpoint from which the check continued; null means a full recount. */
  from: Pick<Checkpoint, 'at' | 'throughTransfer'> | null
}
type Told = (check: LedgerCheck) => void

const PROBLEMS_SHOWN = 20
const CHECK_LIMIT_MS = 6 * HOUR

export function verifyLedger(pool: Pool): Promise<LedgerReport> {
  return inSnapshot(pool, (tx) => checkBooks(tx))
}

/** Checks the rows since the last checkpoint, and appends a new one. A difference triggers a recount of all rows. */
export async function verifyFromCheckpoint(
  pool: Pool,
  { full, now, told }: { full: boolean; now: Date; told: Told },
): Promise<LedgerReport> {
  const { newest, broken } = await findCheckpoint(pool)
  const from = full || broken.length > 0 ? null : newest
  const through = await settledThrough(pool)
  const { report, digest } = await inSnapshot(pool, async (tx) => ({
    report: await checkBooks(tx, { from, told }),
    digest: through === null ? null : await digestBalances(tx, through),
  }))
  if (report.ok && broken.length === 0 && through !== null && digest !== null) {
    await appendCheckpoint(pool, { at: now, recounted: from === null, throughTransfer: through, digest })
  }
  if (from !== null && !report.ok) return verifyFromCheckpoint(pool, { full: true, now, told })
  const chain: LedgerCheck = {
    name: 'no checkpoint was changed or taken out',
    checked: Number(newest?.id ?? 0n),
    wrong: broken.length,
    problems: broken
      .slice(0, PROBLEMS_SHOWN)
      .map((id) => `checkpoint ${id} is not what it was, or not after the one it was made after`),
  }
  told(chain)
  return { ...report, ok: report.ok && chain.wrong === 0, checks: [...report.checks, chain] }
}

/** Runs a check in a snapshot, which blocks no purchase and stays consistent while others write. */
async function inSnapshot<T>(pool: Pool, work: (tx: Db) => Promise<T>): Promise<T> {
  return transaction(pool, async (tx) => {
    await tx.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ' })
    return work({ query: (query) => tx.query({ limitMs: CHECK_LIMIT_MS, ...query }) })
  })
}

/** Checks the books. The transaction must be REPEATABLE READ unless nobody else writes. */
export async function checkBooks(
  tx: Db,
  { from = null, told = () => undefined }: { from?: Checkpoint | null; told?: Told } = {},
): Promise<LedgerReport> {
  await setPlanner(tx, { full: from === null })
  await nameCheckedRows(tx, { after: from?.throughTransfer ?? null })
  const counts = new Map<string, number>()
  const checks: LedgerCheck[] = []
  for (const invariant of INVARIANTS) {
    if (from !== null && invariant.since === null) continue
    const check = await checkOne(tx, invariant, { from, counts })
    told(check)
    checks.push(check)
  }
  await forgetCheckedRows(tx)
  return { ok: checks.every(({ wrong }) => wrong === 0), checks, from }
}

/**
 * Lifts the pool's time limits, too short for a full read. After a restore the planner has no statistics and would
 * choose index look-ups, which suit few rows only.
 */
async function setPlanner(tx: Db, { full }: { full: boolean }): Promise<void> {
  const settings: Record<string, string> = {
    statement_timeout: '0',
    work_mem: '128MB',
    hash_mem_multiplier: '3',
    jit: 'off',
    ...(full
      ? { enable_nestloop: 'off', enable_mergejoin: 'off', parallel_tuple_cost: '0.01', parallel_setup_cost: '0' }
      : { enable_seqscan: 'off' }),
  }
  const names = Object.keys(settings)
  await tx.query({
    text: 'SELECT set_config(name, value, true) FROM unnest($1::text[], $2::text[]) AS setting (name, value)',
    values: [names, names.map((name) => settings[name])],
  })
}

async function checkOne(
  tx: Db,
  { name, counted, problems, proof, since }: Invariant,
  { from, counts }: { from: Checkpoint | null; counts: Map<string, number> },
): Promise<LedgerCheck> {
  const checked = counts.get(counted) ?? (await countRows(tx, counted))
  counts.set(counted, checked)
  if (from === null && proof !== undefined && (await holds(tx, proof))) return { name, checked, wrong: 0, problems: [] }
  const text = from !== null && since ? since(from) : problems
  const found = await tx.query<{ problem: string; wrong: bigint }>({
    text: `SELECT problem, count(*) OVER () AS wrong FROM (${text}) violations LIMIT ${PROBLEMS_SHOWN}`,
  })
  return { name, checked, wrong: Number(found.rows[0]?.wrong ?? 0n), problems: found.rows.map((row) => row.problem) }
}

async function countRows(tx: Db, text: string): Promise<number> {
  const { rows } = await tx.query<{ count: bigint }>({ text })
  return Number(rows[0]?.count ?? 0n)
}

async function holds(tx: Db, text: string): Promise<boolean> {
  const { rows } = await tx.query<{ holds: boolean | null }>({ text })
  return rows[0]?.holds === true
}
