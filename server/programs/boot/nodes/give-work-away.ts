import type { Context } from '#server/house/context.ts'
import { isTogether, nodeOf } from '#server/house/nodes/node.ts'
import { returnLeases } from '#server/house/nodes/queries.ts'
import { WORK } from '#server/house/nodes/work.ts'
import { followRoles } from '../start-suppliers.ts'

/**
 * Gives this node's leases to the other nodes, so that nothing waits for the end of this process. A link is closed before
 * its lease is given away, because a carrier may accept only one. `stop` ends further work of a lease.
 */
export async function giveWorkAway(ctx: Context, stop: () => void): Promise<void> {
  const node = nodeOf(ctx)
  node.state = 'leaves'
  if (!isTogether(ctx)) return
  const names = [...(node.leases ?? [])]
  node.leases = new Set()
  stop()
  try {
    await returnLeases(ctx.db, { names: names.filter((name) => WORK.some((one) => one === name)), nodeId: node.id })
    await followRoles(ctx)
    await returnLeases(ctx.db, { names, nodeId: node.id })
  } catch (error) {
    ctx.log.warn({ error }, 'leases end with this process: they could not be given away')
  }
}
