import { DAY, SECOND } from '#contract/time.ts'
import type { Settling } from '#server/core/gateways/gateway.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { perContext } from '#server/house/memory.ts'
import { advance } from './advance.ts'
import type { Chain } from './chain.ts'
import { findMismatch } from './check-identity.ts'
import { findInternal } from './find-internal.ts'
import { giveUpLost } from './queries/deposits.ts'
import { listTouched, markTold } from './queries/facts.ts'
import {
  beginWatch,
  findWatch,
  hasBlocks,
  noteDoubted,
  noteLook,
  setStopped,
  storeBlocks,
  type Watch,
} from './queries/watches.ts'
import { readBlock, readFinalized, readHead } from './read-blocks.ts'
import { rewind } from './rewind.ts'
import { bindDeposits, valueDeposits } from './value-deposits.ts'

const LOST_AFTER_MS = DAY
const MOST_TOLD = 500
const ROUND_MS = 20 * SECOND

const TWICE = 'an older gateway reads this chain: name its assets there'
/** The oldest gateway of each chain, by the name of the chain. */
const watchersOf = perContext(
  'chains that are watched',
  { scope: 'process', nodes: 'leased', lost: 'nothing: each gateway claims its chain again' },
  () => new Map<string, number>(),
)
const MISMATCH = 'not the chain of the settings: '

/** Reads new blocks and then credits deposits. An interrupted round loses nothing and repeats nothing. */
export async function followChain(chain: Chain, signal: AbortSignal, payments: Settling): Promise<void> {
  const { memory } = chain
  // A round that timed out may still be running.
  if (memory.isFollowing) return
  memory.isFollowing = true
  try {
    await look(chain, signal, payments)
  } finally {
    memory.isFollowing = false
    await noteDoubted(chain.ctx.db, { gatewayId: chain.gatewayId, doubted: chain.pool.doubted() })
  }
}

async function look(chain: Chain, signal: AbortSignal, payments: Settling): Promise<void> {
  const { ctx, gatewayId } = chain
  // Payments left over from an earlier round are settled first, because this needs no node.
  await tell(chain, payments, { hasGrown: false })
  if (!(await isRightChain(chain, signal)) || !(await isOnlyWatch(chain))) return
  const now = ctx.clock.now()
  await giveUpLost(ctx.db, { gatewayId, before: new Date(now.getTime() - LOST_AFTER_MS), now })
  const watch = await findWatch(ctx.db, gatewayId)
  const isRead = watch?.stopped == null && (await readOn(chain, watch, signal))
  const { final_height: final = null, head = null } = (await findWatch(ctx.db, gatewayId)) ?? {}
  if (isRead && final !== null) {
    await bindDeposits(chain, payments)
    await valueDeposits(chain, final, payments)
  }
  await tell(chain, payments, { hasGrown: head !== chain.memory.toldHead })
  chain.memory.toldHead = head
  if (isRead && final !== null) await findInternal(chain, final, signal)
}

/** Checks once per process that the nodes are of the chain in the settings, and again after a mismatch. */
async function isRightChain(chain: Chain, signal: AbortSignal): Promise<boolean> {
  const { ctx, gatewayId, memory, code } = chain
  if (memory.isChecked) return true
  const mismatch = await findMismatch(chain, signal)
  const watch = await findWatch(ctx.db, gatewayId)
  const wasMismatch = watch?.stopped?.startsWith(MISMATCH) === true
  if (mismatch === null) {
    if (wasMismatch) await setStopped(ctx.db, { gatewayId, stopped: null })
    memory.isChecked = true
    return true
  }
  if (!wasMismatch) ctx.log.error({ gateway: code, mismatch }, 'a chain is not the one of its settings')
  await setStopped(ctx.db, { gatewayId, stopped: `${MISMATCH}${mismatch}` })
  return false
}

/** Returns true for a chain's oldest gateway. Two gateways of one chain would both credit each transfer. */
async function isOnlyWatch({ ctx, gatewayId, name, code }: Chain): Promise<boolean> {
  const watchers = watchersOf(ctx)
  const holder = watchers.get(name) ?? gatewayId
  watchers.set(name, holder < gatewayId ? holder : gatewayId)
  const isStopped = (await findWatch(ctx.db, gatewayId))?.stopped === TWICE
  const isOnly = watchers.get(name) === gatewayId
  if (isOnly && isStopped) await setStopped(ctx.db, { gatewayId, stopped: null })
  if (isOnly || isStopped) return isOnly
  ctx.log.error({ gateway: code, chain: name }, 'two gateways name one chain')
  await setStopped(ctx.db, { gatewayId, stopped: TWICE })
  return false
}

/** Reads new blocks. Returns false if the nodes disagree on the newest block, because then no deposit is certain. */
async function readOn(chain: Chain, watch: Watch | null, signal: AbortSignal): Promise<boolean> {
  const { ctx, gatewayId, confirmations, finality } = chain
  const head = await readHead(chain, signal)
  const finalized = finality === 'finalized' ? await readFinalized(chain, signal) : head
  if (watch?.height == null || !(await hasBlocks(ctx.db, gatewayId))) return begin(chain, watch?.height ?? head, signal)
  const height = await rewind(chain, { height: watch.height, head }, signal)
  if (height === null) return false
  const deadline = ctx.clock.now().getTime() + ROUND_MS
  const reached = await advance(chain, { from: height, head, deadline }, signal)
  const byDepth = head - confirmations + 1n
  const final = [byDepth, finalized, reached].reduce((one, other) => (other < one ? other : one))
  const finalHeight = final < 0n ? 0n : final
  await noteLook(ctx.db, { gatewayId, head, finalHeight, doubted: chain.pool.doubted(), now: ctx.clock.now() })
  return true
}

/** Starts at the height that staff have set, or at the newest block, because nobody had an address before. */
async function begin(chain: Chain, height: bigint, signal: AbortSignal): Promise<boolean> {
  const { ctx, gatewayId } = chain
  const block = await readBlock(chain, height, signal)
  if (block === null) return false
  await transaction(ctx.db, async (tx) => {
    await beginWatch(tx, { gatewayId, height: block.number, at: block.at })
    await storeBlocks(tx, { gatewayId, blocks: [block], keepFrom: 0n })
  })
  await noteLook(ctx.db, { gatewayId, head: height, finalHeight: 0n, doubted: [], now: ctx.clock.now() })
  return true
}

/**
 * Settles payments whose deposits have changed. If the chain has grown, settles those that gained confirmations too.
 */
async function tell({ ctx, gatewayId }: Chain, payments: Settling, { hasGrown }: { hasGrown: boolean }): Promise<void> {
  for (const transactionId of await listTouched(ctx.db, { gatewayId, hasGrown, limit: MOST_TOLD })) {
    await payments.settle(transactionId)
    await markTold(ctx.db, transactionId)
  }
}
