import { perContext } from '#server/house/memory.ts'
import type { NodeState } from './queries.ts'

/** The id of a process that is no node, such as a command or a test. Any node may take over what such a process left. */
export const NO_NODE = 0n

export type ThisNode = {
  id: bigint
  state: NodeState
  /** The number of nodes that serve this database now, this one included. */
  livingNodes: number
  /** The leases of this node; null if it serves alone, so that it does all the work. */
  leases: ReadonlySet<string> | null
  /** Lists the leases that this node could do the work of. */
  wanted: () => readonly string[]
}

/** This process as a node. `takeServing` sets the id, and each renewal sets the rest. */
export const nodeOf = perContext(
  'node',
  { scope: 'process', nodes: 'own', lost: 'nothing: each start is a new node' },
  (): ThisNode => ({ id: NO_NODE, state: 'stand_by', livingNodes: 1, leases: null, wanted: () => [] }),
)

/** Tells whether several nodes may serve this database at once. */
export function isTogether(ctx: Parameters<typeof nodeOf>[0]): boolean {
  return nodeOf(ctx).leases !== null
}

/** Tells whether this node does the work of a lease: it holds the lease, or serves alone. */
export function holdsLease(ctx: Parameters<typeof nodeOf>[0], name: string): boolean {
  const { leases } = nodeOf(ctx)
  return leases === null || leases.has(name)
}
