import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { findEndpoint } from './queries/endpoints.ts'

/** Throws NOT_FOUND if the endpoint does not exist or belongs to another user. */
export async function requireEndpoint(ctx: Context, own: { id: number; userId: number }): Promise<void> {
  if ((await findEndpoint(ctx.db, { ...own, now: ctx.clock.now() })) === null) throw notFound()
}
