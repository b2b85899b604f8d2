import type { Db } from '#server/house/db/pool.ts'

/** The key of the advisory lock that the nodes which serve hold. */
export const LOCK_KEY = 0x72696e67
/** The maximum time in which PostgreSQL must end the backend of a dead node. */
const END_LIMIT_MS = 2_000

/** A node that serves `alone` shares the database with no other node. Nodes that serve `together` share the lock. */
export type Serving = 'alone' | 'together'

const TRY: Readonly<Record<Serving, { name: string; text: string }>> = {
  alone: { name: 'node-try-lock', text: `SELECT pg_try_advisory_lock(${LOCK_KEY}) AS got` },
  together: { name: 'node-try-shared-lock', text: `SELECT pg_try_advisory_lock_shared(${LOCK_KEY}) AS got` },
}

/**
 * Takes the advisory lock for as long as the connection of `db` lives, and notes the connection's backend. Returns false
 * if the lock is held already.
 */
export async function tryInstanceLock(
  db: Db,
  { nodeId, serving }: { nodeId: bigint; serving: Serving },
): Promise<boolean> {
  const { rows } = await db.query<{ got: boolean }>(TRY[serving])
  if (rows[0]?.got !== true) return false
  await db.query({
    name: 'node-note-lock',
    text: `UPDATE nodes SET lock_pid = backend.pid, lock_since = backend.backend_start FROM pg_stat_activity backend
      WHERE nodes.id = $nodeId AND backend.pid = pg_backend_pid()`,
    values: { nodeId },
  })
  return true
}

/** Tells whether a process serves the database, of whichever release, or renews itself though it has lost the lock. */
export async function isServed(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ served: boolean }>({
    text: `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${LOCK_KEY} AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
      OR EXISTS (SELECT FROM nodes WHERE ended_at IS NULL AND state <> 'stand_by' AND until > clock_timestamp()) AS served`,
  })
  return rows[0]?.served === true
}

/**
 * Ends the PostgreSQL backends that hold the advisory lock for dead nodes, or for a connection that this node has lost.
 * Returns false if nobody else than living nodes, or a process that is no node, holds the lock. Throws if a backend does
 * not end in time.
 */
export async function endDeadLocks(db: Db, nodeId: bigint): Promise<boolean> {
  const { rows } = await db.query<{ ended: boolean }>({
    name: 'node-end-dead-locks',
    text: `SELECT pg_terminate_backend(backend.pid, ${END_LIMIT_MS}) AS ended
      FROM pg_locks JOIN pg_stat_activity backend ON backend.pid = pg_locks.pid
      WHERE locktype = 'advisory' AND objid = ${LOCK_KEY} AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND EXISTS (SELECT FROM nodes WHERE lock_pid = backend.pid AND lock_since = backend.backend_start
          AND (nodes.id = $nodeId OR ended_at IS NOT NULL))`,
    values: { nodeId },
  })
  if (rows.some(({ ended }) => !ended)) throw new Error('PostgreSQL does not end a lost connection that holds the lock')
  return rows.length > 0
}
