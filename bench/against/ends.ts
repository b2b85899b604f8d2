import { ACCOUNTS_PER_CLIENT, CLIENTS, openShoppers } from '../parts/shoppers.ts'
import type { Load } from './compare.ts'
import { openSide } from './open-side.ts'
import type { Side } from './sides.ts'

const ENDS_PER_CLIENT = 32

/** Returns a load for a benchmark. The load ends bought numbers by `setStatus=8` of handler_api. */
export async function ends(stack: AsyncDisposableStack, side: Side): Promise<Load> {
  const { service, pids } = await openSide(stack, side, { environment: { EARLY_CANCEL_SECONDS: '0' } })
  const buyers = await side.addBuyers(service.db, CLIENTS * ACCOUNTS_PER_CLIENT)
  const shoppers = await openShoppers(stack, service, buyers)
  const round = async () => {
    const startedAt = performance.now()
    await shoppers.end()
    const operations = ENDS_PER_CLIENT * CLIENTS
    return { operations, figures: { 'ends a second': (operations * 1000) / (performance.now() - startedAt) } }
  }
  return { pids, prepare: () => shoppers.buy(ENDS_PER_CLIENT), round }
}
