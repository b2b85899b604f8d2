import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import type { Caller } from './caller.ts'

/** Lists the pages closed to the caller (specification 6). Users named in the configuration may enter all. */
export function closedPagesOf(ctx: Context, caller: Pick<Caller, 'member'>): readonly string[] {
  const { closedPages, closedPagesUserIds } = ctx.config
  const mayEnter = caller.member !== null && closedPagesUserIds.includes(caller.member.userId)
  return mayEnter ? [] : closedPages
}

/** Throws NOT_FOUND if the page is closed to the caller. Calls use it, because a closed page's data are closed too. */
export function requireOpen(ctx: Context, caller: Pick<Caller, 'member'>, page: string): void {
  if (closedPagesOf(ctx, caller).includes(page)) throw notFound()
}
