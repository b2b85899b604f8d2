import { CommandRefused, type DatabaseCli, WrongUsage } from '#server/cli/command.ts'
import { findDemoMark } from '#server/demo/queries.ts'
import { gatewayKinds } from '#server/gateways/registry.ts'
import { Memory } from '#server/memory.ts'

/** Makes the gateway, which checks its settings and calls nobody. Throws WrongUsage, CommandRefused. */
export async function checkGatewaySettings(
  cli: DatabaseCli,
  row: { kind: string; code: string; settings: Record<string, unknown> },
): Promise<void> {
  const make = Object.hasOwn(gatewayKinds, row.kind) ? gatewayKinds[row.kind] : undefined
  if (make === undefined) {
    throw new WrongUsage(`There is no kind ${row.kind}; there are ${Object.keys(gatewayKinds).join(', ')}`)
  }
  if (row.kind === 'sandbox' && !(await findDemoMark(cli.pool)).marked) {
    throw new CommandRefused('The sandbox gives play money: it works in the demo only')
  }
  const { pool: db, clock, random, log } = cli
  try {
    await make(
      { db, clock, random, log, memory: new Memory(), publicUrl: new URL('https://ringpost.invalid') },
      { id: 0, ...row },
    )
  } catch (error) {
    throw new CommandRefused(error instanceof Error ? error.message : String(error))
  }
}
