import { gatewayKinds } from '#server/programs/boot/kinds/gateway-kinds.ts'
import { CommandRefused, type DatabaseCli, WrongUsage } from '#server/programs/cli/command.ts'
import { idleContext } from '#server/programs/cli/idle-context.ts'
import { findDemoMark } from '#server/programs/demo/queries.ts'

/** Checks the settings by building the gateway, without a network call. Throws WrongUsage or CommandRefused. */
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
  try {
    await make(idleContext(cli), { id: 0, ...row })
  } catch (error) {
    throw new CommandRefused(error instanceof Error ? error.message : String(error))
  }
}
