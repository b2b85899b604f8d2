import type { FastifyInstance } from 'fastify'
import type { Context } from '#server/context.ts'
import { pendingMigrations } from '#server/db/migrate.ts'
import { databaseUnavailable } from '#server/errors.ts'

/** `/readyz` fails while stopping, or unless the database is writable and migrated for this version. */
export function registerHealth(app: FastifyInstance, ctx: Context): void {
  let looking: Promise<boolean> | null = null
  // The address is public and the query expensive, so concurrent callers share one.
  const isReady = () => {
    looking ??= look(ctx).finally(() => {
      looking = null
    })
    return looking
  }
  app.get('/healthz', async () => ({ status: true }))
  app.get('/readyz', async () => {
    if (ctx.serving.ending) throw databaseUnavailable()
    if (!(await isReady())) throw databaseUnavailable()
    return { status: true, links: countLinks(ctx) }
  })
}

async function look(ctx: Context): Promise<boolean> {
  const pending = await pendingMigrations(ctx.db).catch(() => null)
  return pending?.length === 0 && ctx.db.canWrite()
}

/** Counts without names, because the address is public. A lost link does not fail readiness: other suppliers sell. */
function countLinks(ctx: Context): { up: number; down: number } {
  const states = ctx.suppliers.all().flatMap((supplier) => supplier.link?.() ?? [])
  const up = states.filter((state) => state.up).length
  return { up, down: states.length - up }
}
