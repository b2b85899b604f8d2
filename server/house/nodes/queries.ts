import { DAY } from '#contract/time.ts'
import type { ServiceClock } from '#server/house/clock.ts'
import type { Db } from '#server/house/db/pool.ts'

/** The time after which a node that does not renew itself may be declared dead. Death moves leases within 3 s. */
export const NODE_LEASE_MS = 2_500
/** The maximum wait for a renewal, so that a silent connection is replaced before the node counts as dead. */
const RENEW_LIMIT_MS = 1_000
/** The lease of a node that serves without Redis, so alone. */
export const SERVING = 'serving'

/** A longer time is shown as this one, because milliseconds of a month do not fit an integer. */
const MAX_SHOWN_MS = DAY

/** SQL: the time since the node's last renewal was due, and the leases that the node holds. */
const LATE_MS = `(extract(epoch FROM clock_timestamp() - GREATEST(clock_timestamp() - interval '1 day',
        LEAST(clock_timestamp() + interval '1 day', until))) * 1000)::integer AS late_ms`
const UNTIL_MICROS = '(extract(epoch FROM until) * 1000000)::bigint AS until_micros'
const LEASES = 'ARRAY(SELECT name FROM leases WHERE leases.node_id = nodes.id ORDER BY name) AS leases'

export type NodeFacts = { host: string; pid: number; version: string; commit: string | null }

/** A node `leaves` when it was asked to stop: it finishes its requests, and other nodes take its leases. */
export type NodeState = 'stand_by' | 'serves' | 'leaves'

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

/** `clock` follows the clock of PostgreSQL, so that the clocks of all nodes agree. */
export type Renewal = { state: NodeState; sockets: number; clock: ServiceClock }

/** A slower answer measures the clock too inexactly, because only the half of it is known to be the way there. */
const MAX_MEASURE_MS = 200

/**
 * Renews the node, and returns its new time in microseconds since 1970, by which a stand-by of PostgreSQL shows how far
 * it has got. Returns null if another node has declared this one dead; the process must then stop.
 */
export async function renewNode(db: Db, { id, ...renewal }: { id: bigint } & Partial<Renewal>): Promise<bigint | null> {
  const { state = 'stand_by', sockets = 0, clock } = renewal
  const sentAt = performance.now()
  const [now, wall] = [clock?.now() ?? null, clock?.wall() ?? null]
  const { rows } = await db.query<{ until_micros: bigint; ahead_ms: number | null }>({
    name: 'node-renew',
    text: `UPDATE nodes SET until = clock_timestamp() + make_interval(secs => $leaseMs / 1000.0),
        state = $state, sockets = $sockets,
        ahead_ms = CASE WHEN $now::timestamptz IS NOT NULL THEN
          LEAST(${MAX_SHOWN_MS}, GREATEST(-${MAX_SHOWN_MS}, extract(epoch FROM $now::timestamptz - clock_timestamp()) * 1000)) END
      WHERE id = $id AND ended_at IS NULL RETURNING ${UNTIL_MICROS}, ahead_ms`,
    values: { id, state, sockets, now, leaseMs: NODE_LEASE_MS },
    limitMs: RENEW_LIMIT_MS,
  })
  const tookMs = performance.now() - sentAt
  const [row] = rows
  if (row?.ahead_ms != null && now !== null && wall !== null && tookMs < MAX_MEASURE_MS) {
    clock?.follow(row.ahead_ms + tookMs / 2 - (now.getTime() - wall.getTime()))
  }
  return row?.until_micros ?? null
}

/** Returns whether a PostgreSQL is a stand-by, and which renewal of the node it has; null if it lacks the node. */
export async function findRenewal(db: Db, nodeId: bigint): Promise<{ isStandBy: boolean; untilMicros: bigint | null }> {
  const { rows } = await db.query<{ is_stand_by: boolean; until_micros: bigint | null }>({
    name: 'node-find-renewal',
    text: `SELECT pg_is_in_recovery() AS is_stand_by, (SELECT ${UNTIL_MICROS} FROM nodes WHERE id = $1) AS until_micros`,
    values: [nodeId],
    limitMs: RENEW_LIMIT_MS,
  })
  const [row] = rows
  return { isStandBy: row?.is_stand_by === true, untilMicros: row?.until_micros ?? null }
}

/** Ends the node, which frees its leases at once. */
export async function endNode(db: Db, nodeId: bigint): Promise<void> {
  await db.query({
    name: 'node-end',
    text: 'UPDATE nodes SET ended_at = clock_timestamp() WHERE id = $nodeId AND ended_at IS NULL',
    values: { nodeId },
  })
}

/** Declares a node dead, unless it has renewed itself since it was `seen`. Returns true if the node is dead now. */
export async function declareDead(db: Db, seen: { id: bigint; until: string }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'node-declare-dead',
    text: 'UPDATE nodes SET ended_at = clock_timestamp() WHERE id = $id AND until = $until AND ended_at IS NULL',
    values: seen,
    limitMs: RENEW_LIMIT_MS,
  })
  return rowCount === 1
}

export type LivingNode = Pick<
  NodeRow,
  'id' | 'host' | 'pid' | 'version' | 'state' | 'late_ms' | 'ahead_ms' | 'sockets' | 'leases'
> & {
  until: string
  /** True if the node's connection to PostgreSQL is open. A killed process loses it at once. */
  connected: boolean
}

/** Lists the nodes that have not ended, with their leases. */
export async function listLivingNodes(db: Db): Promise<LivingNode[]> {
  const { rows } = await db.query<LivingNode>({
    name: 'node-list-living',
    text: `SELECT id, host, pid, version, state, ahead_ms, sockets, until::text, ${LATE_MS}, ${LEASES}, EXISTS (
        SELECT FROM pg_stat_activity backend WHERE backend.pid = lock_pid AND backend.backend_start = lock_since
      ) AS connected
      FROM nodes WHERE ended_at IS NULL ORDER BY id`,
    values: {},
    limitMs: RENEW_LIMIT_MS,
  })
  return rows
}

/** Takes those leases that are free, or whose node has ended. Returns the names of the taken leases. */
export async function takeLeases(db: Db, wanted: { names: readonly string[]; nodeId: bigint }): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>({
    name: 'node-take-leases',
    text: `INSERT INTO leases AS held (name, node_id)
      SELECT name, nodes.id FROM nodes, unnest($names::text[]) AS name WHERE nodes.id = $nodeId AND ended_at IS NULL
      ORDER BY name
      ON CONFLICT (name) DO UPDATE SET node_id = EXCLUDED.node_id
        WHERE held.node_id IN (SELECT id FROM nodes WHERE ended_at IS NOT NULL)
      RETURNING name`,
    values: wanted,
  })
  return rows.map(({ name }) => name)
}

/** Gives leases of the node back, so that other nodes can take them at once. */
export async function returnLeases(db: Db, { names, nodeId }: { names: readonly string[]; nodeId: bigint }) {
  await db.query({
    name: 'node-return-leases',
    text: 'DELETE FROM leases WHERE node_id = $nodeId AND name = ANY ($names::text[])',
    values: { names, nodeId },
  })
}

export type NodeRow = NodeFacts & {
  id: bigint
  state: NodeState
  started_at: Date
  ended_at: Date | null
  /** The time since the node's last renewal was due; negative while the node is in time. */
  late_ms: number
  /** True if the node has noted the connection that keeps other releases off the database. */
  locked: boolean
  /** The lead of the service's clock, by which deadlines end, over PostgreSQL's at the last renewal. */
  ahead_ms: number | null
  sockets: number
  leases: string[]
}

/** Lists the nodes, the newest first. */
export async function listNodes(db: Db, limit: number): Promise<NodeRow[]> {
  const { rows } = await db.query<NodeRow>({
    name: 'node-list',
    text: `SELECT id, host, pid, version, commit, state, started_at, ended_at, ahead_ms, sockets,
        lock_pid IS NOT NULL AS locked, ${LATE_MS}, ${LEASES}
      FROM nodes ORDER BY id DESC LIMIT $limit`,
    values: { limit },
  })
  return rows
}
