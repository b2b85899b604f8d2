import type { ChainFamily } from '#server/adapters/shared/chain/chain.ts'
import { type ChainGateway, createChainGateway } from '#server/adapters/shared/chain/create-chain-gateway.ts'
import type { GatewayRow } from '#server/core/gateways/gateway.ts'
import type { Context } from '#server/house/context.ts'
import { readEvmAddress, showEvmAddress } from './evm-address.ts'

const EVM: ChainFamily = {
  name: 'evm',
  show: showEvmAddress,
  read: readEvmAddress,
  hasCoin: true,
  hasHistory: true,
  checksEmptyLogs: false,
}

export function createEvm(ctx: Context, row: GatewayRow): ChainGateway {
  return createChainGateway(ctx, row, EVM)
}
