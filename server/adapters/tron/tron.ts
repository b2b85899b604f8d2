import type { ChainFamily } from '#server/adapters/shared/chain/chain.ts'
import { type ChainGateway, createChainGateway } from '#server/adapters/shared/chain/create-chain-gateway.ts'
import type { GatewayRow } from '#server/core/gateways/gateway.ts'
import type { Context } from '#server/house/context.ts'
import { readTronAddress, showTronAddress } from './tron-address.ts'

/**
 * Accepts TRC-20 tokens through the JSON-RPC of java-tron, version 4.8.1 or newer
 * (tronprotocol.github.io/documentation-en/api/json-rpc). TRX itself is not accepted, because TRX that contracts move
 * is invisible there.
 */
const TRON: ChainFamily = {
  name: 'tron',
  show: showTronAddress,
  read: readTronAddress,
  hasCoin: false,
  hasHistory: false,
  checksEmptyLogs: true,
}

export function createTron(ctx: Context, row: GatewayRow): ChainGateway {
  return createChainGateway(ctx, row, TRON)
}
