import type { Currency } from '#contract/money.ts'
import { SECOND } from '#contract/time.ts'
import type { Db } from '#server/house/db/pool.ts'

/** The time limit of a query for metrics, because the scraping program gives up early. */
const LIMIT_MS = 2 * SECOND

export async function findNewestTransfer(db: Db): Promise<bigint> {
  const { rows } = await db.query<{ id: bigint | null }>({
    name: 'measure-newest-transfer',
    text: 'SELECT max(id) AS id FROM transfers',
    limitMs: LIMIT_MS,
  })
  return rows[0]?.id ?? 0n
}

export type Moved = { kind: string; currency: Currency; moves: number; micros: bigint }

/**
 * Sums the transfers of real money after `after` and until `until`. `from` is the id of an earlier transfer, which
 * spares reading all transfers.
 */
export async function sumMoved(db: Db, window: { from: bigint; after: Date; until: Date }): Promise<Moved[]> {
  const { rows } = await db.query<Moved>({
    name: 'measure-moved',
    text: `SELECT t.kind, t.currency, count(*)::integer AS moves, sum(t.amount_micros)::bigint AS micros
      FROM transfers t JOIN accounts a USING (user_id)
      WHERE t.id > $from AND t.at > $after AND t.at <= $until AND NOT a.sandbox GROUP BY t.kind, t.currency`,
    values: window,
    limitMs: LIMIT_MS,
  })
  return rows
}

export type AccountsMoney = { currency: Currency; available: bigint; held: bigint; debt: bigint }

export async function sumAccounts(db: Db): Promise<AccountsMoney[]> {
  const { rows } = await db.query<AccountsMoney>({
    name: 'measure-accounts',
    text: `SELECT currency, sum(available_micros)::bigint AS available, sum(held_micros)::bigint AS held, sum(debt_micros)::bigint AS debt
      FROM accounts WHERE NOT sandbox GROUP BY currency`,
    limitMs: LIMIT_MS,
  })
  return rows
}

export async function findWaiting(db: Db): Promise<{ count: number; oldest: Date | null }> {
  const { rows } = await db.query<{ count: number; oldest: Date | null }>({
    name: 'measure-waiting',
    text: `SELECT count(*)::integer AS count, min(a.created_at) AS oldest
      FROM activations a JOIN suppliers s ON s.id = a.supplier_id AND NOT s.sandbox
      WHERE a.state = 'waiting' AND a.state IN ('waiting', 'received', 'waiting_again')`,
    limitMs: LIMIT_MS,
  })
  return rows[0] ?? { count: 0, oldest: null }
}

export async function listStocks(db: Db): Promise<{ code: string; stock: bigint }[]> {
  const { rows } = await db.query<{ code: string; stock: bigint }>({
    name: 'measure-stocks',
    text: `SELECT s.code, h.stock FROM suppliers s JOIN supplier_standings h ON h.supplier_id = s.id
      WHERE s.removed_at IS NULL AND NOT s.sandbox AND h.stock IS NOT NULL`,
    limitMs: LIMIT_MS,
  })
  return rows
}

export type WaitingJobs = { task: string; due: number; oldest_seconds: number; given_up: number }

/**
 * Counts waiting jobs by PostgreSQL's clock, which also decides when a job runs. A failed job counts as due since it
 * was queued, not since its next try.
 */
export async function countJobs(db: Db): Promise<WaitingJobs[]> {
  const { rows } = await db.query<WaitingJobs>({
    name: 'measure-jobs',
    text: `SELECT t.identifier AS task,
        count(*) FILTER (WHERE j.due_at <= now() AND j.attempts < j.max_attempts)::integer AS due,
        COALESCE(extract(epoch FROM now() - min(j.due_at) FILTER (WHERE j.due_at <= now() AND j.attempts < j.max_attempts)), 0)::float8
          AS oldest_seconds,
        count(*) FILTER (WHERE j.attempts >= j.max_attempts)::integer AS given_up
      FROM graphile_worker._private_tasks t LEFT JOIN (
        SELECT task_id, attempts, max_attempts, CASE WHEN attempts > 0 THEN created_at ELSE run_at END AS due_at
        FROM graphile_worker._private_jobs WHERE locked_at IS NULL
      ) j ON j.task_id = t.id
      GROUP BY t.identifier`,
    limitMs: LIMIT_MS,
  })
  return rows
}

export async function countAlarms(db: Db): Promise<{ kind: string; count: number }[]> {
  const { rows } = await db.query<{ kind: string; count: number }>({
    name: 'measure-alarms',
    text: `SELECT split_part(name, ' ', 1) AS kind, count(*)::integer AS count FROM alarms GROUP BY 1`,
    limitMs: LIMIT_MS,
  })
  return rows
}
