import { transaction } from '#server/house/db/transaction.ts'
import type { Chain } from './chain.ts'
import { loseAbove } from './queries/deposits.ts'
import { findBlock, forgetBlocksAbove, moveWatch, setStopped } from './queries/watches.ts'
import { readBlock } from './read-blocks.ts'

/** The number of blocks stored beyond the required confirmations. A deeper reorganisation needs staff. */
export const KEPT_BLOCKS = 128n

/**
 * Rewinds to the last block that our tables and the chain share, and returns its height. Returns null if the nodes
 * disagree, or reading was stopped. If the nodes' head is lower than `height` but has our block, a node lags behind, so
 * nothing is rewound.
 */
export async function rewind(
  chain: Chain,
  { height, head }: { height: bigint; head: bigint },
  signal: AbortSignal,
): Promise<bigint | null> {
  const { ctx, gatewayId } = chain
  const from = head < height ? head : height
  for (let number = from; !signal.aborted; number -= 1n) {
    const stored = await findBlock(ctx.db, { gatewayId, number })
    if (stored === null) return stop(chain, number)
    const block = await readBlock(chain, number, signal)
    if (block === null) return null
    if (block.hash !== stored.hash) continue
    if (number === from) return height
    await goBack(chain, { from: height, height: number, at: stored.at })
    return number
  }
  return null
}

async function stop({ ctx, gatewayId, code }: Chain, number: bigint): Promise<null> {
  ctx.log.error({ gateway: code, number }, 'a chain was reorganised deeper than its blocks are kept')
  await setStopped(ctx.db, { gatewayId, stopped: `a reorganisation below block ${number + 1n}, deeper than is kept` })
  return null
}

async function goBack(
  { ctx, gatewayId, code }: Chain,
  { from, height, at }: { from: bigint; height: bigint; at: Date },
): Promise<void> {
  const now = ctx.clock.now()
  const lost = await transaction(ctx.db, async (tx) => {
    await forgetBlocksAbove(tx, { gatewayId, height })
    await moveWatch(tx, { gatewayId, from, height, at })
    return loseAbove(tx, { gatewayId, height, now })
  })
  ctx.log.warn({ gateway: code, height, lost }, 'a chain was reorganised')
}
