import { SECOND } from '#contract/time.ts'
import { listNodes, type NodeRow, type NodeState } from '#server/house/nodes/queries.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { NONE, plain, readLimit } from '#server/programs/cli/listing.ts'

export const listAllNodes: Command = {
  name: 'node:list',
  summary: 'list the starts of the service, newest first: which node serves, which is a stand-by, which has ended',
  options: { limit: { shows: '1-500' } },
  database: 'migrated',
  async run({ pool, tell, remark }, { options }) {
    const nodes = await listNodes(pool, readLimit(options.limit))
    if (nodes.length === 0) remark(NONE)
    for (const node of nodes) {
      const release = node.commit === null ? node.version : `${node.version} (${node.commit.slice(0, 12)})`
      const place = `${plain(node.host)}, process ${node.pid}`
      const started = `started ${node.started_at.toISOString()}`
      tell(node, [`${node.id}: ${stateOf(node)}, ${release} on ${place}, ${started}`, ...shareOf(node)].join(', '))
    }
    return 0
  },
}

const STATES: Readonly<Record<NodeState, string>> = { stand_by: 'stand-by', serves: 'serves', leaves: 'leaves' }

function stateOf({ ended_at: endedAt, late_ms: lateMs, state: noted, locked }: NodeRow): string {
  if (endedAt !== null) return `ended ${endedAt.toISOString()}`
  const state = noted === 'stand_by' && locked ? 'starts' : STATES[noted]
  return lateMs > 0 ? `${state}, NOT HEARD OF for ${Math.ceil(lateMs / 1000)} s too long` : state
}

function shareOf({ ended_at: endedAt, state, ahead_ms: aheadMs, sockets, leases }: NodeRow): string[] {
  if (endedAt !== null || state === 'stand_by') return []
  const clock = aheadMs === null || Math.abs(aheadMs) < SECOND ? [] : [`CLOCK ${aheadMs / SECOND} s AHEAD`]
  return [...clock, `${sockets} sockets`, leases.length === 0 ? 'no leases' : `leases: ${leases.map(plain).join(' ')}`]
}
