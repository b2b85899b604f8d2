import type { HDKey } from '@scure/bip32'
import type { Context } from '#server/house/context.ts'

import type { NodePool } from './node-pool.ts'
import type { RpcNode } from './rpc-node.ts'

/** The key of the coin of the chain, which has no contract. */
export const COIN = 'coin'

export type Asset = {
  /** The contract, 20 bytes in hex, or `coin`. */
  key: string
  system: string
  symbol: string
  chainSymbol: string
  decimals: number
  rate: string
  dust: bigint
  places: number | undefined
  rateMaxAgeMs: number
}

export type ChainFamily = {
  name: string
  show(address: string): string
  /** Returns the address in its stored form, or null if the text is no address. */
  read(text: string): string | null
  /** False if only tokens are accepted, because this chain's nodes do not report all movements of the coin. */
  hasCoin: boolean
  hasHistory: boolean
  /**
   * True if blocks without logs are checked by receipts, because an incomplete index returns neither logs nor errors.
   */
  checksEmptyLogs: boolean
}

export type Chain = {
  ctx: Context
  gatewayId: number
  code: string
  family: ChainFamily
  chainId: bigint
  /** The name of the chain, which identifies deposits whichever gateway saw them. */
  name: string
  nodes: readonly RpcNode[]
  pool: NodePool
  confirmations: bigint
  finality: 'depth' | 'finalized'
  behindMs: number
  assets: readonly Asset[]
  /** Identifies the public key without revealing it. */
  branch: string
  key: HDKey
  memory: { isChecked: boolean; isFollowing: boolean; toldHead: bigint | null }
}

export type Transfer = { txHash: string; asset: string; to: string; from: string; units: bigint; place: number }
export type ChainBlock = { number: bigint; hash: string; parent: string; at: Date }
