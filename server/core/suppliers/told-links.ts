import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'
import { listLinks } from './queries.ts'
import type { LinkState } from './supplier.ts'

const toldLinks = perContext(
  'links of other nodes',
  { scope: 'process', nodes: 'told', lost: 'nothing: they are read from the tables' },
  () => new Map<number, LinkState>(),
)

/** Returns the state of a link that another node holds, as that node stored it. */
export function toldLinkOf(ctx: Context, supplierId: number): LinkState {
  return (
    toldLinks(ctx).get(supplierId) ?? { up: false, since: ctx.clock.now(), why: 'no node has told of the link yet' }
  )
}

/** Reads the states of all links. Returns the suppliers whose links have changed since the last read. */
export async function readToldLinks(ctx: Context): Promise<number[]> {
  const links = toldLinks(ctx)
  const changed: number[] = []
  for (const { id, up, since, why } of await listLinks(ctx.db)) {
    const before = links.get(id)
    if (before?.up === up && before.since.getTime() === since.getTime()) continue
    links.set(id, { up, since, ...(why !== null && { why }) })
    changed.push(id)
  }
  return changed
}
