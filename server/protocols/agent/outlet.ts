import { unseal } from '#server/config/secret-key.ts'
import type { Context } from '#server/context.ts'
import type { OutletRow } from './queries/outlets.ts'
import { type AgentSettings, parseAgentSettings } from './settings.ts'

export type Outlet = Omit<OutletRow, 'settings'> & { settings: AgentSettings }

export function openOutlet(ctx: Context, row: OutletRow): Outlet {
  const { value } = unseal(row.settings, [ctx.secretKey, ...ctx.previousSecretKeys])
  return { ...row, settings: parseAgentSettings(row.code, value) }
}
