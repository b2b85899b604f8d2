import type { Gateway } from '#server/core/gateways/gateway.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import {
  type GatewayListRow,
  listGatewayRows,
  noteFailure,
  resealGateway,
} from '#server/core/payments/queries/gateways.ts'
import { seal, unseal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'
import { gatewayKinds } from './kinds/gateway-kinds.ts'

/** Starts the gateways. Each further call starts new and changed gateways, and applies pauses. */
export async function followGateways(ctx: Context): Promise<void> {
  for (const row of await listGatewayRows(ctx.db)) {
    const atWork = gatewaysOf(ctx).get(row.id)
    const isPaused = row.paused_at !== null
    if (atWork?.settingsVersion === row.settings_version) {
      gatewaysOf(ctx).put({ ...atWork, isPaused })
      continue
    }
    const gateway = await makeGateway(ctx, row)
    if (gateway !== null) gatewaysOf(ctx).put({ gateway, settingsVersion: row.settings_version, isPaused })
  }
}

/** A misconfigured gateway's error is only logged, so that the other gateways can take money. */
async function makeGateway(ctx: Context, row: GatewayListRow): Promise<Gateway | null> {
  try {
    const make = gatewayKinds[row.kind]
    if (make === undefined) throw new Error(`this version knows no gateways of the kind ${row.kind}`)
    if (row.kind === 'sandbox' && !ctx.config.demo) throw new Error('play money is for the demo alone')
    return await make(ctx, { ...row, settings: await openSettings(ctx, row) })
  } catch (error) {
    ctx.log.error({ error, gateway: row.code }, 'a gateway could not be started')
    const failure = error instanceof Error ? error.message : String(error)
    await noteFailure(ctx.db, { id: row.id, now: ctx.clock.now(), failure })
    return null
  }
}

async function openSettings(ctx: Context, row: GatewayListRow): Promise<Record<string, unknown>> {
  const { value, outdated } = unseal(row.settings, [ctx.secrets.secretKey, ...ctx.secrets.previousSecretKeys])
  if (outdated) await resealGateway(ctx.db, { ...row, settings: seal(value, ctx.secrets.secretKey, ctx.random) })
  return value
}
