import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'

/** Names a pool of workers after its node, so that the other nodes know when its jobs are nobody's. */
export function workerIdOf(nodeId: bigint, poolId: string): string {
  return `node-${nodeId}-${poolId}`
}

/**
 * Unlocks the jobs of nodes that have ended, which stay locked for four hours, and of releases without nodes, which
 * never run beside this one. Never unlocks what another living node runs. With `own`, also unlocks the jobs of the
 * earlier runners of this node.
 */
export async function unlockJobs(db: Db, node: { nodeId: bigint; own: boolean }): Promise<void> {
  await db.query({
    text: `SELECT graphile_worker.force_unlock_workers(array_agg(locked_by)) FROM (
        SELECT locked_by, substring(locked_by FROM '^node-(\\d+)-')::bigint AS node_id FROM (
          SELECT locked_by FROM graphile_worker._private_jobs UNION SELECT locked_by FROM graphile_worker._private_job_queues
        ) locks WHERE locked_by IS NOT NULL
      ) workers
      WHERE CASE WHEN node_id = $nodeId THEN $own
        ELSE NOT EXISTS (SELECT FROM nodes WHERE nodes.id = workers.node_id AND ended_at IS NULL) END
      HAVING count(*) > 0`,
    values: node,
    limitMs: SLOW_LIMIT_MS,
  })
}
