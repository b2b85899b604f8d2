import { seal, unseal } from '#server/config/secret-key.ts'
import type { Context } from '#server/context.ts'
import { type OutletRow, resealOutlet } from './queries/outlets.ts'
import { type AgentSettings, parseAgentSettings } from './settings.ts'

export type Outlet = Omit<OutletRow, 'settings'> & { settings: AgentSettings }

/** Its settings hold a secret, so they are sealed, and sealed again after a key change. */
export async function openOutlet(ctx: Context, row: OutletRow): Promise<Outlet> {
  const { value, outdated } = unseal(row.settings, [ctx.secretKey, ...ctx.previousSecretKeys])
  const settings = parseAgentSettings(row.code, value)
  if (outdated) {
    await resealOutlet(ctx.db, { id: row.id, before: row.settings, after: seal(value, ctx.secretKey, ctx.random) })
  }
  return { ...row, settings }
}
