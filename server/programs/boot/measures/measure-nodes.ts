import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { listLivingNodes } from '#server/house/nodes/queries.ts'

/** Updates the metrics of all nodes of the database. Empties them if the nodes cannot be read. */
export async function measureNodes({ db, log, metrics, redis, replica }: Context): Promise<void> {
  const { nodes, nodeLate, nodeAhead, nodeLeases, nodeSockets } = metrics
  if (redis === null) metrics.registry.removeSingleMetric('ringpost_redis_up')
  else metrics.redisUp.set(redis.isUp ? 1 : 0)
  metrics.replicaLag.reset()
  for (const { place, isRead, behindMs } of replica?.standBys ?? []) {
    metrics.replicaUp.set({ place }, isRead ? 1 : 0)
    if (behindMs !== null) metrics.replicaLag.set({ place }, behindMs / SECOND)
  }
  const rows = await listLivingNodes(db).catch((error: unknown) => {
    log.warn({ error }, 'the nodes could not be counted for the metrics')
    return []
  })
  for (const gauge of [nodes, nodeLate, nodeAhead, nodeLeases, nodeSockets]) gauge.reset()
  for (const row of rows) {
    const node = { node: row.id.toString(), host: row.host, version: row.version }
    nodes.inc({ state: row.state })
    nodeLate.set(node, Math.max(0, row.late_ms) / SECOND)
    if (row.ahead_ms !== null) nodeAhead.set(node, row.ahead_ms / SECOND)
    nodeLeases.set(node, row.leases.length)
    nodeSockets.set(node, row.sockets)
  }
}
