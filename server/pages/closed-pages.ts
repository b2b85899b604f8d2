import type { Context } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import type { Caller } from '#server/http/caller.ts'

/**
 * The pages this caller may not see, by the first part of their path: a configured list closes them for everyone but a
 * configured list of people (product.md section 6).
 */
export function closedPagesOf(ctx: Context, caller: Pick<Caller, 'member'>): readonly string[] {
  const { closedPages, closedPagesUserIds } = ctx.config
  const mayEnter = caller.member !== null && closedPagesUserIds.includes(caller.member.userId)
  return mayEnter ? [] : closedPages
}

/** Throws NOT_FOUND when the page is closed for the caller: its data is closed with it. */
export function requireOpen(ctx: Context, caller: Pick<Caller, 'member'>, page: string): void {
  if (closedPagesOf(ctx, caller).includes(page)) throw notFound()
}
