import { z } from 'zod'
import { SECOND } from '#contract/time.ts'
import { type Chain, type ChainBlock, COIN, type Transfer } from './chain.ts'
import { address, addressOfWord, bytes, hash, quantity, toQuantity } from './hex.ts'
import type { RpcNode } from './rpc-node.ts'

/** The keccak-256 hash of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const WORD_LENGTH = 66

const headSchema = z.object({ number: quantity, hash, parentHash: hash, timestamp: quantity })
const coinSchema = z.object({ hash, from: address, to: address.nullish(), value: quantity })
const bareBlock = headSchema.nullable()
const fullBlock = headSchema.extend({ transactions: z.array(coinSchema) }).nullable()

const logSchema = z.object({
  address,
  topics: z.array(bytes).max(4),
  data: bytes,
  transactionHash: hash,
  blockHash: hash,
  logIndex: quantity,
  removed: z.boolean().nullish(),
})
type Log = z.output<typeof logSchema>
const logsSchema = z.array(logSchema)
const receiptsSchema = z.array(z.object({ status: quantity.nullish(), logs: logsSchema }))
const receiptSchema = z.object({ status: quantity, blockHash: hash }).nullable()

type ReadBlock = ChainBlock & { coins: Omit<Transfer, 'place'>[]; nodes: RpcNode[] }

export async function readHead({ pool }: Chain, signal: AbortSignal): Promise<bigint> {
  const answers = await pool.askAll((node) => node.ask('eth_blockNumber', [], quantity, signal))
  const heights = answers.map(({ value }) => value).toSorted((one, other) => (one < other ? 1 : -1))
  return heights[pool.need - 1] ?? 0n
}

export async function readFinalized({ pool }: Chain, signal: AbortSignal): Promise<bigint> {
  const answers = await pool.askAll((node) => node.ask('eth_getBlockByNumber', ['finalized', false], bareBlock, signal))
  const heights = answers.map(({ value }) => value?.number ?? 0n).toSorted((one, other) => (one < other ? 1 : -1))
  return heights[pool.need - 1] ?? 0n
}

/** Reads a block. Returns null if too few nodes have the block, or if they disagree. */
export async function readBlock(chain: Chain, number: bigint, signal: AbortSignal): Promise<ReadBlock | null> {
  const { pool, assets } = chain
  const withCoin = assets.some(({ key }) => key === COIN)
  const shape = withCoin ? fullBlock : bareBlock
  const answers = await pool.askAll(async (node) => {
    const block = await node.ask<z.output<typeof fullBlock> | z.output<typeof bareBlock>>(
      'eth_getBlockByNumber',
      [toQuantity(number), withCoin],
      shape,
      signal,
    )
    if (block !== null && block.number !== number) throw new Error(`${node.name} answered another block`)
    return block
  })
  // A node that lags behind does not contradict the other nodes.
  const known = answers.flatMap(({ node, value }) => (value === null ? [] : [{ node, value: toBlock(value) }]))
  const agreed = pool.agree(known, ({ hash }) => hash)
  if (agreed === null) return null
  const same = known.filter(({ node }) => agreed.nodes.includes(node))
  // The hash covers the whole block, so a node that returns other content under the same hash lies.
  const whole = pool.agree(same, keyOfBlock, true)
  return whole === null ? null : { ...whole.value, nodes: whole.nodes }
}

function toBlock(
  block: NonNullable<z.output<typeof fullBlock> | z.output<typeof bareBlock>>,
): Omit<ReadBlock, 'nodes'> {
  const transactions = 'transactions' in block ? block.transactions : []
  return {
    number: block.number,
    hash: block.hash,
    parent: block.parentHash,
    at: new Date(Number(block.timestamp) * SECOND),
    coins: transactions.flatMap(({ hash: txHash, from, to, value: units }) =>
      to != null && units > 0n ? [{ txHash, asset: COIN, from, to, units }] : [],
    ),
  }
}

function keyOfBlock({ parent, at, coins }: Omit<ReadBlock, 'nodes'>): string {
  return [parent, at.getTime(), ...coins.map(({ txHash, to, units }) => `${txHash} ${to} ${units}`)].join('\n')
}

/** Returns a block's token transfers, in the order of the block, or null if the nodes disagree. */
export async function readTokens(
  chain: Chain,
  block: { hash: string; nodes: readonly RpcNode[] },
  signal: AbortSignal,
): Promise<Transfer[] | null> {
  const contracts = chain.assets.flatMap(({ key }) => (key === COIN ? [] : [key]))
  if (contracts.length === 0) return []
  const answers = await chain.pool.askAll(async (node) => {
    const filter = { blockHash: block.hash, address: contracts, topics: [TRANSFER] }
    const logs = await node.ask('eth_getLogs', [filter], logsSchema, signal)
    if (logs.length > 0 || !chain.family.checksEmptyLogs) return toTransfers(logs, block.hash, contracts)
    const receipts = await node.ask('eth_getBlockReceipts', [block.hash], receiptsSchema, signal)
    const found = receipts.flatMap(({ status, logs: own }) => (status === 1n ? own : []))
    return toTransfers(found, block.hash, contracts)
  }, block.nodes)
  return chain.pool.agree(answers, keyOfTransfers, true)?.value ?? null
}

function toTransfers(logs: readonly Log[], blockHash: string, contracts: readonly string[]): Transfer[] {
  const counts = new Map<string, number>()
  return logs
    .toSorted((one, other) => Number(one.logIndex - other.logIndex))
    .flatMap((log) => {
      const { topics, data } = log
      // Some nodes search logs by height instead of hash, so after a fork they return another block's logs.
      if (log.blockHash !== blockHash) throw new Error('the logs are those of another block')
      const [topic, from, to] = topics
      const isTransfer = topic === TRANSFER && topics.length === 3 && data.length === WORD_LENGTH
      if (!isTransfer || from === undefined || to === undefined || log.removed === true) return []
      if (!contracts.includes(log.address)) return []
      const units = BigInt(data)
      // A transfer of zero units is spam, by which a sender wants to be seen among payers (address poisoning).
      if (units === 0n) return []
      const transfer = { txHash: log.transactionHash, asset: log.address, to: addressOfWord(to), units }
      const key = keyOfTransfer(transfer)
      const place = counts.get(key) ?? 0
      counts.set(key, place + 1)
      return [{ ...transfer, from: addressOfWord(from), place }]
    })
}

type Said = Pick<Transfer, 'txHash' | 'asset' | 'to' | 'units'>

function keyOfTransfer({ txHash, asset, to, units }: Said): string {
  return `${txHash} ${asset} ${to} ${units}`
}

function keyOfTransfers(transfers: readonly Transfer[]): string {
  return transfers.map((transfer) => `${keyOfTransfer(transfer)} ${transfer.from}`).join('\n')
}

/** Returns true if a transaction of this block succeeded, and null if the nodes disagree. */
export async function readSuccess(
  chain: Chain,
  { txHash, block }: { txHash: string; block: { hash: string; nodes: readonly RpcNode[] } },
  signal: AbortSignal,
): Promise<boolean | null> {
  const answers = await chain.pool.askAll(async (node) => {
    const receipt = await node.ask('eth_getTransactionReceipt', [txHash], receiptSchema, signal)
    if (receipt?.blockHash !== block.hash) throw new Error(`${node.name} has no receipt in this block`)
    return receipt.status === 1n
  }, block.nodes)
  return chain.pool.agree(answers, String, true)?.value ?? null
}

/** Reads a balance at a final block. Returns null if the nodes disagree. */
export async function readBalance(
  chain: Chain,
  { address: owner, asset, height }: { address: string; asset: string; height: bigint | 'latest' },
  signal: AbortSignal,
): Promise<bigint | null> {
  const at = height === 'latest' ? height : toQuantity(height)
  const answers = await chain.pool.askAll((node) =>
    asset === COIN
      ? node.ask('eth_getBalance', [owner, at], quantity, signal)
      : node.ask('eth_call', [{ to: asset, data: callOf(BALANCE_OF, owner) }, at], quantity, signal),
  )
  return chain.pool.agree(answers, String)?.value ?? null
}

const BALANCE_OF = '0x70a08231'

function callOf(selector: string, owner: string): string {
  return selector + owner.slice(2).padStart(64, '0')
}
