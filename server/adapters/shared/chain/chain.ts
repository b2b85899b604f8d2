import type { HDKey } from '@scure/bip32'
import type { Context } from '#server/house/context.ts'

import type { NodePool } from './node-pool.ts'
import type { RpcNode } from './rpc-node.ts'

/** The coin of the chain has no contract. */
export const COIN = 'coin'

export type Asset = {
  /** The contract, 20 bytes in hex, or `coin`. */
  key: string
  /** Of the way to pay that takes it. */
  system: string
  symbol: string
  /** What the contract itself answers. */
  chainSymbol: string
  decimals: number
  /** Its letters among the exchange rates. */
  rate: string
  /** Less than this many units is not credited. */
  dust: bigint
  places: number | undefined
  rateMaxAgeMs: number
}

/** How a kind of chain writes its addresses, and what it can do. */
export type ChainFamily = {
  name: string
  /** As people read and copy it. */
  show(address: string): string
  /** null: it is none. */
  read(text: string): string | null
  /** Tokens alone: what moves the coin is not told in full. */
  hasCoin: boolean
  /** Nodes know balances of earlier blocks. */
  hasHistory: boolean
  /** Logs are also read from receipts where a block has none: an index with gaps answers nothing, without an error. */
  checksEmptyLogs: boolean
}

/** One gateway's chain: what the settings say, and what is known of it while the process runs. */
export type Chain = {
  ctx: Context
  gatewayId: number
  code: string
  family: ChainFamily
  chainId: bigint
  /** Deposits are told apart by it, whichever gateway saw them. */
  name: string
  nodes: readonly RpcNode[]
  pool: NodePool
  confirmations: bigint
  finality: 'depth' | 'finalized'
  behindMs: number
  assets: readonly Asset[]
  /** Names the public key, without giving it away. */
  branch: string
  key: HDKey
  memory: { isChecked: boolean; isFollowing: boolean; toldHead: bigint | null }
}

export type Transfer = { txHash: string; asset: string; to: string; from: string; units: bigint; place: number }
export type ChainBlock = { number: bigint; hash: string; parent: string; at: Date }
