import type { Db } from '#server/house/db/pool.ts'
import { type LivingNode, returnLeases, takeLeases } from './queries.ts'

export function freeOf(nodes: readonly LivingNode[], wanted: readonly string[]): Set<string> {
  const taken = new Set(nodes.flatMap(({ leases }) => leases))
  return new Set(wanted.filter((name) => !taken.has(name)))
}

type Sharing = {
  nodeId: bigint
  nodes: readonly LivingNode[]
  wanted: readonly string[]
  /** The leases that were free at the last look, because no other node wanted them. */
  freeBefore?: ReadonlySet<string>
}

/**
 * Returns the leases of a node after it took its fair share of the free ones, and gave back what it does not want. A
 * lease that stays free is taken in any case, because other nodes may be unable to do its work.
 */
export async function shareLeases(
  db: Db,
  { nodeId, nodes, wanted, freeBefore = new Set() }: Sharing,
): Promise<Set<string>> {
  const own = nodes.find(({ id }) => id === nodeId)?.leases ?? []
  const surplus = own.filter((name) => !wanted.includes(name))
  if (surplus.length > 0) await returnLeases(db, { names: surplus, nodeId })
  const held = new Set(own.filter((name) => wanted.includes(name)))
  const free = [...freeOf(nodes, wanted)]
  const serving = nodes.filter(({ id, state }) => id === nodeId || state === 'serves').length
  const share = Math.ceil(wanted.length / serving)
  const fair = free.slice(0, Math.max(0, share - held.size))
  const names = [...new Set([...fair, ...free.filter((name) => freeBefore.has(name))])]
  if (names.length > 0) for (const name of await takeLeases(db, { names, nodeId })) held.add(name)
  return held
}
