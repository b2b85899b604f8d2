import { CommandRefused, type DatabaseCli } from '#server/cli/command.ts'
import { findGatewayRow } from '#server/cli/queries/chains.ts'
import { sealingKey } from '#server/cli/settings/sealing-key.ts'
import { unseal } from '#server/config/secret-key.ts'
import type { Chain } from '#server/gateways/chain/chain.ts'
import { isChainGateway } from '#server/gateways/chain/create-chain-gateway.ts'
import { gatewayKinds } from '#server/gateways/registry.ts'
import { Memory } from '#server/memory.ts'

/** The chain of a gateway, by its settings. Throws CommandRefused. */
export async function requireChain(cli: DatabaseCli, code: string): Promise<Chain> {
  const row = await findGatewayRow(cli.pool, code)
  if (row === null) throw new CommandRefused(`There is no gateway ${code}`)
  const { value: settings } = unseal(row.settings, [await sealingKey(cli), ...cli.previousSecretKeys])
  const { pool: db, clock, random, log } = cli
  const publicUrl = new URL('https://ringpost.invalid')
  const gateway = await gatewayKinds[row.kind]?.(
    { db, clock, random, log, memory: new Memory(), publicUrl },
    { ...row, settings },
  )
  if (gateway === undefined || !isChainGateway(gateway)) throw new CommandRefused(`${code} is of no chain`)
  return gateway.chain
}
