import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { type Chain, type ChainBlock, COIN, type Transfer } from './chain.ts'
import { findOwners } from './queries/addresses.ts'
import { findAgain, findChainDeposits, insertChainDeposits, type NewDeposit } from './queries/deposits.ts'
import { findBlock, moveWatch, storeBlocks } from './queries/watches.ts'
import { readBlock, readSuccess, readTokens } from './read-blocks.ts'
import { KEPT_BLOCKS } from './rewind.ts'

/** The number of blocks that are requested in parallel and stored together. */
const BATCH = 16n
const MOST_IN_A_TURN = 512n

type Arrived = { block: ChainBlock; transfer: Transfer; userId: number }
type Batch = { blocks: ChainBlock[]; arrived: Arrived[] }
const NOTHING: Batch = { blocks: [], arrived: [] }

/**
 * Reads blocks above height `from` and stores their transfers with the new height, so a crash loses nothing. `deadline`
 * is a time of `ctx.clock`, in ms. Returns the height reached.
 */
export async function advance(
  chain: Chain,
  { from, head, deadline }: { from: bigint; head: bigint; deadline: number },
  signal: AbortSignal,
): Promise<bigint> {
  const { ctx, gatewayId } = chain
  const last = head < from + MOST_IN_A_TURN ? head : from + MOST_IN_A_TURN
  const readAfter = (before: ChainBlock): Promise<Batch> => {
    const isOver = before.number >= last || ctx.clock.now().getTime() >= deadline || signal.aborted
    if (isOver) return Promise.resolve(NOTHING)
    const until = before.number + BATCH < last ? before.number + BATCH : last
    return readBatch(chain, { before, until }, signal)
  }
  const before = await findBlock(ctx.db, { gatewayId, number: from })
  if (before === null) throw new Error(`block ${from} is not stored`)
  let height = from
  let batch = await readAfter(before)
  for (let newest = batch.blocks.at(-1); newest !== undefined; newest = batch.blocks.at(-1)) {
    // The next blocks are read while earlier ones are stored. Both tasks must end before an error is thrown.
    const [stored, next] = await Promise.allSettled([store(chain, { from: height, ...batch }), readAfter(newest)])
    if (stored.status === 'rejected') throw stored.reason
    height = newest.number
    if (next.status === 'rejected') throw next.reason
    batch = next.value
  }
  return height
}

/** Reads blocks as far as the nodes agree and each block follows from its predecessor. */
async function readBatch(
  chain: Chain,
  { before, until }: { before: ChainBlock; until: bigint },
  signal: AbortSignal,
): Promise<Batch> {
  const numbers = Array.from(
    { length: Number(until - before.number) },
    (_, place) => before.number + BigInt(place) + 1n,
  )
  const read = await Promise.all(numbers.map((number) => readWhole(chain, number, signal)))
  const linked: NonNullable<(typeof read)[number]>[] = []
  for (const whole of read) {
    const parent = linked.at(-1)?.block ?? before
    if (whole === null || whole.block.parent !== parent.hash) break
    linked.push(whole)
  }
  const transfers = linked.flatMap(({ block, transfers }) => transfers.map((transfer) => ({ block, transfer })))
  const owners = await findOwners(chain.ctx.db, [...new Set(transfers.map(({ transfer }) => transfer.to))])
  const ours = transfers.flatMap(({ block, transfer }) => {
    const userId = owners.get(transfer.to)
    return userId === undefined ? [] : [{ block, transfer, userId }]
  })
  const arrived: Arrived[] = []
  for (const one of ours) {
    const { transfer, block } = one
    const isDone = transfer.asset !== COIN || (await readSuccess(chain, { txHash: transfer.txHash, block }, signal))
    if (isDone === null)
      return { blocks: linked.map((each) => each.block).filter((each) => each.number < block.number), arrived }
    if (isDone) arrived.push(one)
  }
  return { blocks: linked.map(({ block }) => block), arrived }
}

async function readWhole(chain: Chain, number: bigint, signal: AbortSignal) {
  const block = await readBlock(chain, number, signal)
  if (block === null) return null
  const tokens = await readTokens(chain, block, signal)
  if (tokens === null) return null
  // A transaction moves coin to an address only once.
  const coins = block.coins.map((coin) => ({ ...coin, place: 0 }))
  return { block, transfers: [...tokens, ...coins] }
}

async function store(
  chain: Chain,
  { from, blocks, arrived }: { from: bigint; blocks: readonly ChainBlock[]; arrived: readonly Arrived[] },
): Promise<void> {
  const newest = blocks.at(-1)
  if (newest === undefined) return
  const { ctx, gatewayId, confirmations } = chain
  const stored = new Set(blocks.map(({ number }) => number))
  const inThem = arrived.filter(({ block }) => stored.has(block.number))
  await transaction(ctx.db, async (tx) => {
    await moveWatch(tx, { gatewayId, from, height: newest.number, at: newest.at })
    if (inThem.length > 0) await storeArrived(tx, chain, inThem)
    await storeBlocks(tx, { gatewayId, blocks, keepFrom: newest.number - confirmations - KEPT_BLOCKS })
  })
}

/**
 * Stores transfers to our addresses. A deposit that lost its block may be found again in any block. If its loss is
 * already final, it is stored as a new deposit.
 */
async function storeArrived(
  tx: Db,
  { ctx, gatewayId, name: chain, assets }: Chain,
  arrived: readonly Arrived[],
): Promise<void> {
  const now = ctx.clock.now()
  const known = await findChainDeposits(tx, { chain, transfers: arrived.map(({ transfer }) => transfer) })
  const deposits: NewDeposit[] = []
  for (const [at, one] of arrived.entries()) {
    const before = known[at] ?? null
    // Another gateway of the chain stored the deposit, or this gateway did and the deposit was never lost.
    if (before !== null && (before.gateway_id !== gatewayId || before.lost_at === null)) continue
    if (before !== null && !before.was_given_up) {
      await findAgain(tx, { id: before.id, block: one.block, now })
      continue
    }
    const dust = assets.find(({ key }) => key === one.transfer.asset)?.dust ?? 0n
    const state = one.transfer.units < dust ? 'dust' : 'seen'
    deposits.push({ ...one, life: (before?.life ?? -1) + 1, state })
  }
  if (deposits.length > 0) await insertChainDeposits(tx, { gatewayId, chain, now, deposits })
}
