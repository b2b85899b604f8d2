import { boundedCache } from '#server/house/bounded-cache.ts'
import { seal, unseal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'
import { isDatabaseAway } from '#server/house/db/constraint.ts'
import { perContext } from '#server/house/memory.ts'
import { listOutletsToOpen, type OutletRow, resealOutlet } from './queries/outlets.ts'
import { type AgentSettings, parseAgentSettings } from './settings.ts'

export type Outlet = Omit<OutletRow, 'settings'> & { settings: AgentSettings }

const MOST_KEPT = 100

/**
 * Caches decrypted settings by their encrypted form, so that calls with wrong keys do not parse thousands of prices.
 */
const openedOf = perContext(
  'settings of outlets',
  { scope: 'process', nodes: 'own', lost: 'nothing: they are read from the tables' },
  () => boundedCache<string, AgentSettings>(MOST_KEPT),
)

/** Decrypts the settings of an outlet (a buying platform), and encrypts them again if our secret key has changed. */
export async function openOutlet(ctx: Context, row: OutletRow): Promise<Outlet> {
  const kept = openedOf(ctx)
  const { sealed } = row.settings
  const known = typeof sealed === 'string' ? kept.get(sealed) : undefined
  if (known !== undefined) return { ...row, settings: known }
  const { value, outdated } = unseal(row.settings, [ctx.secrets.secretKey, ...ctx.secrets.previousSecretKeys])
  const settings = parseAgentSettings(row.code, value)
  if (outdated) {
    await resealOutlet(ctx.db, {
      id: row.id,
      before: row.settings,
      after: seal(value, ctx.secrets.secretKey, ctx.random),
    })
  } else if (typeof sealed === 'string') kept.set(sealed, settings)
  return { ...row, settings }
}

/** Decrypts the settings of all outlets (buying platforms). A failure of one outlet must not stop the server. */
export async function resealOutlets(ctx: Context): Promise<void> {
  for (const row of await listOutletsToOpen(ctx.db)) {
    await openOutlet(ctx, row).catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error
      ctx.log.error({ error, outlet: row.code }, 'the settings of an outlet could not be opened')
    })
  }
}
