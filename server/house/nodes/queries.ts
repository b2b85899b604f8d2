import type { Db } from '#server/house/db/pool.ts'

/** The time after which a node that does not renew itself may be declared dead. Death moves leases within 3 s. */
export const NODE_LEASE_MS = 2_500
/** The maximum wait for a renewal, so that a silent connection is replaced before the node counts as dead. */
const RENEW_LIMIT_MS = 1_000
/** The maximum time in which PostgreSQL must end the backend of a dead node. */
const END_LIMIT_MS = 2_000
/** The key of the advisory lock that the node which serves holds. */
export const LOCK_KEY = 0x72696e67
/** The lease of the one node that serves while there is no Redis. */
export const SERVING = 'serving'

/** SQL: true for the row of `pg_locks` that shows who holds the advisory lock. */
const IS_INSTANCE_LOCK = `locktype = 'advisory' AND objid = ${LOCK_KEY} AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

export type NodeFacts = { host: string; pid: number; version: string; commit: string | null }

/** Inserts this process as a node and returns the node's id. */
export async function insertNode(db: Db, facts: NodeFacts): Promise<bigint> {
  const { rows } = await db.query<{ id: bigint }>({
    name: 'node-insert',
    text: `INSERT INTO nodes (host, pid, version, commit, until)
      VALUES ($host, $pid, $version, $commit, clock_timestamp() + make_interval(secs => $leaseMs / 1000.0))
      RETURNING id`,
    values: { ...facts, leaseMs: NODE_LEASE_MS },
  })
  const [row] = rows
  if (row === undefined) throw new Error('a node was not inserted')
  return row.id
}

/** Renews the node. Returns false if another node has declared it dead; the process must then stop. */
export async function renewNode(db: Db, nodeId: bigint): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'node-renew',
    text: `UPDATE nodes SET until = clock_timestamp() + make_interval(secs => $leaseMs / 1000.0)
      WHERE id = $nodeId AND ended_at IS NULL`,
    values: { nodeId, leaseMs: NODE_LEASE_MS },
    limitMs: RENEW_LIMIT_MS,
  })
  return rowCount === 1
}

/** Ends the node, which frees its leases at once. */
export async function endNode(db: Db, nodeId: bigint): Promise<void> {
  await db.query({
    name: 'node-end',
    text: 'UPDATE nodes SET ended_at = clock_timestamp() WHERE id = $nodeId AND ended_at IS NULL',
    values: { nodeId },
  })
}

/**
 * Takes a lease that is free, or whose node has ended or is dead by now. Returns the epoch of the new holder, or null
 * if a living node holds the lease. Declares every node dead that did not renew itself in time.
 */
export async function takeLease(db: Db, lease: { name: string; nodeId: bigint }): Promise<bigint | null> {
  const { rows } = await db.query<{ epoch: bigint }>({
    name: 'node-take-lease',
    text: `WITH dead AS (
      UPDATE nodes SET ended_at = clock_timestamp() WHERE ended_at IS NULL AND until < clock_timestamp() AND id <> $nodeId
      RETURNING id
    )
    INSERT INTO leases AS held (name, node_id, epoch)
    SELECT $name, id, 1 FROM nodes WHERE id = $nodeId AND ended_at IS NULL
    ON CONFLICT (name) DO UPDATE SET node_id = EXCLUDED.node_id, epoch = held.epoch + 1
      WHERE held.node_id IN (SELECT id FROM dead)
        OR held.node_id IN (SELECT id FROM nodes WHERE ended_at IS NOT NULL)
    RETURNING epoch`,
    values: lease,
  })
  return rows[0]?.epoch ?? null
}

/**
 * Takes the advisory lock for as long as the connection of `db` lives, and notes the connection's backend. Returns false
 * if the lock is held already.
 */
export async function tryInstanceLock(db: Db, nodeId: bigint): Promise<boolean> {
  const { rows } = await db.query<{ got: boolean }>({
    name: 'node-try-lock',
    text: `SELECT pg_try_advisory_lock(${LOCK_KEY}) AS got`,
  })
  if (rows[0]?.got !== true) return false
  await db.query({
    name: 'node-note-lock',
    text: `UPDATE nodes SET lock_pid = backend.pid, lock_since = backend.backend_start FROM pg_stat_activity backend
      WHERE nodes.id = $nodeId AND backend.pid = pg_backend_pid()`,
    values: { nodeId },
  })
  return true
}

/**
 * Ends the PostgreSQL backend that holds the advisory lock, if it belongs to a dead node, or to a connection that this
 * node has lost. Returns false if a living node holds the lock, or a process that is no node. Throws if the backend does
 * not end in time.
 */
export async function endDeadLock(db: Db, nodeId: bigint): Promise<boolean> {
  const { rows } = await db.query<{ ended: boolean }>({
    name: 'node-end-dead-lock',
    text: `SELECT pg_terminate_backend(backend.pid, ${END_LIMIT_MS}) AS ended
      FROM pg_locks JOIN pg_stat_activity backend ON backend.pid = pg_locks.pid
      WHERE ${IS_INSTANCE_LOCK}
        AND EXISTS (SELECT FROM nodes WHERE lock_pid = backend.pid AND lock_since = backend.backend_start
          AND (nodes.id = $nodeId OR ended_at IS NOT NULL))`,
    values: { nodeId },
  })
  if (rows[0]?.ended === false) throw new Error('PostgreSQL does not end the lost connection that holds the lock')
  return rows.length > 0
}

type ServingNode = { id: bigint; host: string; pid: number; locked: boolean; until: string }

/** Finds the node that holds the lease to serve. `locked` means that somebody holds the instance lock. */
export async function findServing(db: Db): Promise<ServingNode | null> {
  const { rows } = await db.query<ServingNode>({
    name: 'node-find-serving',
    text: `SELECT nodes.id, host, pid, until::text, EXISTS (
        SELECT FROM pg_locks WHERE ${IS_INSTANCE_LOCK}
      ) AS locked
      FROM leases JOIN nodes ON nodes.id = leases.node_id WHERE leases.name = '${SERVING}' AND ended_at IS NULL`,
  })
  return rows[0] ?? null
}

export type NodeRow = NodeFacts & {
  id: bigint
  started_at: Date
  ended_at: Date | null
  /** The time since the node's last renewal was due; negative while the node is in time. */
  late_ms: number
  leases: string[]
}

/** Lists the nodes, the newest first. */
export async function listNodes(db: Db, limit: number): Promise<NodeRow[]> {
  const { rows } = await db.query<NodeRow>({
    name: 'node-list',
    text: `SELECT id, host, pid, version, commit, started_at, ended_at,
        (extract(epoch FROM clock_timestamp() - until) * 1000)::integer AS late_ms,
        ARRAY(SELECT name FROM leases WHERE leases.node_id = nodes.id ORDER BY name) AS leases
      FROM nodes ORDER BY id DESC LIMIT $limit`,
    values: { limit },
  })
  return rows
}
