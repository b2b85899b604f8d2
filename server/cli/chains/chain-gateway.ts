import { gatewayKinds } from '#server/boot/gateway-kinds.ts'
import { CommandRefused, type DatabaseCli } from '#server/cli/command.ts'
import { idleContext } from '#server/cli/idle-context.ts'
import { findGatewayRow } from '#server/cli/queries/chains.ts'
import { sealingKey } from '#server/cli/settings/sealing-key.ts'
import { unseal } from '#server/config/secret-key.ts'
import type { Chain } from '#server/gateways/chain/chain.ts'
import { isChainGateway } from '#server/gateways/chain/create-chain-gateway.ts'

/** The chain of a gateway, by its settings. Throws CommandRefused. */
export async function requireChain(cli: DatabaseCli, code: string): Promise<Chain> {
  const row = await findGatewayRow(cli.pool, code)
  if (row === null) throw new CommandRefused(`There is no gateway ${code}`)
  const { value: settings } = unseal(row.settings, [await sealingKey(cli), ...cli.previousSecretKeys])
  const gateway = await gatewayKinds[row.kind]?.(idleContext(cli), { ...row, settings })
  if (gateway === undefined || !isChainGateway(gateway)) throw new CommandRefused(`${code} is of no chain`)
  return gateway.chain
}
