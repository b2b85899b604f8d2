import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import type { Caller } from './caller.ts'

/** Configured pages are closed to all but configured people (specification 6). */
export function closedPagesOf(ctx: Context, caller: Pick<Caller, 'member'>): readonly string[] {
  const { closedPages, closedPagesUserIds } = ctx.config
  const mayEnter = caller.member !== null && closedPagesUserIds.includes(caller.member.userId)
  return mayEnter ? [] : closedPages
}

/** Throws NOT_FOUND: the data of a closed page is closed too. */
export function requireOpen(ctx: Context, caller: Pick<Caller, 'member'>, page: string): void {
  if (closedPagesOf(ctx, caller).includes(page)) throw notFound()
}
