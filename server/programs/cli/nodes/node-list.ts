import { listNodes, type NodeRow, SERVING } from '#server/house/nodes/queries.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { NONE, plain, readLimit } from '#server/programs/cli/listing.ts'

export const listAllNodes: Command = {
  name: 'node:list',
  summary: 'list the starts of the service, newest first: which node serves, which is a stand-by, which is dead',
  options: { limit: { shows: '1-500' } },
  database: 'migrated',
  async run({ pool, tell, remark }, { options }) {
    const nodes = await listNodes(pool, readLimit(options.limit))
    if (nodes.length === 0) remark(NONE)
    for (const node of nodes) {
      const release = node.commit === null ? node.version : `${node.version} (${node.commit.slice(0, 12)})`
      const place = `${plain(node.host)}, process ${node.pid}`
      tell(node, `${node.id}: ${stateOf(node)}, ${release} on ${place}, started ${node.started_at.toISOString()}`)
    }
    return 0
  },
}

function stateOf({ ended_at: endedAt, late_ms: lateMs, leases }: NodeRow): string {
  if (endedAt !== null) return `ended ${endedAt.toISOString()}`
  const state = leases.includes(SERVING) ? 'serves' : 'stand-by'
  return lateMs > 0 ? `${state}, NOT HEARD OF for ${Math.ceil(lateMs / 1000)} s too long` : state
}
