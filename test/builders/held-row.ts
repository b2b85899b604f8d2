import pg from 'pg'
import { vi } from 'vitest'

export type HeldRow = AsyncDisposable & {
  /** Resolves when this many SQL statements wait for the locked row. */
  waiters(count: number): Promise<void>
  /** Releases the row. The waiting statements continue in the order in which they came. */
  release(): Promise<void>
}

/** The longest time in ms that a statement may need to reach the lock on a busy machine. */
const ARRIVAL_LIMIT_MS = 10_000

/** Locks an activation's row, so that concurrent statements reach it in a chosen order. */
export function holdActivation(connectionString: string, id: number | bigint): Promise<HeldRow> {
  return holdRow(connectionString, { table: 'activations', id })
}

export function holdRental(connectionString: string, id: number | bigint): Promise<HeldRow> {
  return holdRow(connectionString, { table: 'rentals', id })
}

export function holdPreorder(connectionString: string, id: number | bigint): Promise<HeldRow> {
  return holdRow(connectionString, { table: 'preorders', id })
}

export function holdUser(connectionString: string, id: number): Promise<HeldRow> {
  return holdRow(connectionString, { table: 'users', id })
}

export function holdAccount(connectionString: string, id: number | bigint): Promise<HeldRow> {
  return holdRow(connectionString, { table: 'accounts', column: 'user_id', id })
}

export function holdSession(connectionString: string, id: number | bigint): Promise<HeldRow> {
  return holdRow(connectionString, { table: 'sessions', id })
}

export function holdSetting(connectionString: string, key: string): Promise<HeldRow> {
  return holdRow(connectionString, { table: 'settings', column: 'key', id: key })
}

type Held = {
  table: 'accounts' | 'activations' | 'preorders' | 'rentals' | 'users' | 'sessions' | 'settings'
  column?: 'id' | 'key' | 'user_id'
  id: number | bigint | string
}

/** The sessions of this test's database that wait for a lock. Other test files have databases of their own. */
export const WAITING_SESSIONS = `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

async function holdRow(connectionString: string, { table, column = 'id', id }: Held): Promise<HeldRow> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('BEGIN')
  await client.query(`SELECT FROM ${table} WHERE ${column} = $1 FOR UPDATE`, [id.toString()])
  let held = true
  const release = async () => {
    if (held) await client.query('COMMIT')
    held = false
  }
  return {
    async waiters(count) {
      // Sessions that wait behind a waiting session count too.
      const text = `SELECT count(*)::integer AS waiting FROM ${WAITING_SESSIONS}`
      await vi.waitUntil(
        async () => {
          // PostgreSQL caches its statistics inside a transaction, so the snapshot is cleared before each query.
          await client.query('SELECT pg_stat_clear_snapshot()')
          const { rows } = await client.query<{ waiting: number }>(text)
          return (rows[0]?.waiting ?? 0) >= count
        },
        { timeout: ARRIVAL_LIMIT_MS, interval: 5 },
      )
    },
    release,
    async [Symbol.asyncDispose]() {
      await release()
      await client.end()
    },
  }
}

/** Makes two calls wait for the same locked row in this order, then unlocks it. The row is an activation by default. */
export async function meetAtRow<First, Second>(
  held: { connectionString: string; id: number | bigint; hold?: typeof holdActivation },
  [first, second]: [() => Promise<First>, () => Promise<Second>],
): Promise<[PromiseSettledResult<First>, PromiseSettledResult<Second>]> {
  const { connectionString, id, hold = holdActivation } = held
  await using row = await hold(connectionString, id)
  // A call may reject before the test awaits it, so rejections are caught from the start.
  const one = Promise.allSettled([first()])
  await row.waiters(1)
  const other = Promise.allSettled([second()])
  await row.waiters(2)
  await row.release()
  return [(await one)[0], (await other)[0]]
}
