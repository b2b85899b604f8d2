import type { FastifyInstance } from 'fastify'
import type { Context } from '#server/house/context.ts'
import { pendingMigrations } from '#server/house/db/migrate.ts'
import { databaseUnavailable } from '#server/house/errors/errors.ts'
import { perContext } from '#server/house/memory.ts'
import { nodeOf } from '#server/house/nodes/node.ts'

export const servingOf = perContext('end of serving', { scope: 'process', nodes: 'own', lost: 'nothing' }, () => ({
  ending: false,
}))

/**
 * Serves the health checks. `/readyz` fails during shutdown, or unless the database is writable and migrated. Lost
 * links to suppliers are counted without names, because the address is public. They do not fail readiness, because
 * other suppliers sell.
 */
export function registerHealth(
  app: FastifyInstance,
  ctx: Context,
  countLinks: () => { up: number; down: number },
): void {
  let looking: Promise<boolean> | null = null
  // Concurrent callers share one query, because the address is public and the query expensive.
  const isReady = () => {
    looking ??= look(ctx).finally(() => {
      looking = null
    })
    return looking
  }
  app.get('/healthz', async () => ({ status: true, ...ctx.config.release }))
  app.get('/readyz', async () => {
    if (servingOf(ctx).ending) throw databaseUnavailable()
    if (!(await isReady())) throw databaseUnavailable()
    const { redis, replica } = ctx
    const several = redis === null ? {} : { nodes: nodeOf(ctx).livingNodes, redis: redis.isUp }
    const standBys = replica === null ? {} : { stand_bys: replica.standBys.filter(({ isRead }) => isRead).length }
    return { status: true, links: countLinks(), ...several, ...standBys }
  })
}

async function look(ctx: Context): Promise<boolean> {
  const pending = await pendingMigrations(ctx.db).catch(() => null)
  return pending?.length === 0 && ctx.db.canWrite()
}
