import type { Chain } from '#server/adapters/shared/chain/chain.ts'
import { isChainGateway } from '#server/adapters/shared/chain/create-chain-gateway.ts'
import { unseal } from '#server/house/config/secret-key.ts'
import { gatewayKinds } from '#server/programs/boot/kinds/gateway-kinds.ts'
import { CommandRefused, type DatabaseCli } from '#server/programs/cli/command.ts'
import { idleContext } from '#server/programs/cli/idle-context.ts'
import { findGatewayRow } from '#server/programs/cli/queries/chains.ts'
import { sealingKey } from '#server/programs/cli/settings/sealing-key.ts'

/** Builds the chain of a gateway from its settings. Throws CommandRefused. */
export async function requireChain(cli: DatabaseCli, code: string): Promise<Chain> {
  const row = await findGatewayRow(cli.pool, code)
  if (row === null) throw new CommandRefused(`There is no gateway ${code}`)
  const { value: settings } = unseal(row.settings, [await sealingKey(cli), ...cli.previousSecretKeys])
  const gateway = await gatewayKinds[row.kind]?.(idleContext(cli), { ...row, settings })
  if (gateway === undefined || !isChainGateway(gateway)) throw new CommandRefused(`${code} is of no chain`)
  return gateway.chain
}
