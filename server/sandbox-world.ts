import type { FastifyReply } from 'fastify'
import { SANDBOX_HEADER } from '#contract/calls/sandbox-calls.ts'
import type { Context } from './context.ts'

const worlds = new WeakMap<Context, Context>()

/** In which a member's calls run. The same object each time, because memories are kept by context. */
export function worldOf(ctx: Context, member: { key: { sandbox: boolean } | null } | null): Context {
  return member?.key?.sandbox === true ? sandboxOf(ctx) : ctx
}

/** In which an order is settled and told of. */
export function worldOfOrder(ctx: Context, supplierId: number | null): Context {
  return supplierId !== null && supplierId === ctx.sandbox.supplierId ? sandboxOf(ctx) : ctx
}

export function isSandbox(ctx: Pick<Context, 'catalog' | 'sandbox'>): boolean {
  return ctx.catalog === ctx.sandbox.catalog
}

/** For what is answered or told there; nothing elsewhere. */
export function sandboxMark(ctx: Pick<Context, 'catalog' | 'sandbox'>): { sandbox?: true } {
  return isSandbox(ctx) ? { sandbox: true } : {}
}

/** A reply of its call says so. */
export function tellWorld(reply: FastifyReply, world: Context): void {
  if (isSandbox(world)) reply.header(SANDBOX_HEADER, 'true')
}

export function sandboxOf(ctx: Context): Context {
  if (isSandbox(ctx)) return ctx
  const known = worlds.get(ctx)
  if (known !== undefined) return known
  const { catalog, rentCatalog, routes, health, unwanted, matches, metrics, messageTurns } = ctx.sandbox
  const world: Context = { ...ctx, catalog, rentCatalog, routes, health, unwanted, matches, metrics, messageTurns }
  worlds.set(ctx, world)
  return world
}
