import type { FastifyReply } from 'fastify'
import { SANDBOX_HEADER } from '#contract/formats/play-money.ts'
import type { Context } from './context.ts'
import { createMetrics } from './http/door/metrics.ts'
import { Memory, perContext } from './memory.ts'

/**
 * The context of calls with play money: what the rooms remember there is its own, unless they say that both worlds share it.
 * Nobody reads the metrics of the sandbox.
 */
export const sandboxOf = perContext(
  'sandbox',
  { scope: 'process', lost: 'nothing: it is made again' },
  (ctx: Context): Context => ({ ...ctx, metrics: createMetrics({ ofProcess: false }), memory: new Memory(ctx) }),
)

/** The supplier of play numbers. The first key to the sandbox calls `fill`, which gives it offers: until then it costs nothing. */
export const sandboxSupplyOf = perContext(
  'supply of the sandbox',
  { scope: 'process', lost: 'nothing: it is filled again' },
  (): {
    /** null: it is not at work. */
    supplierId: number | null
    fill: () => Promise<void>
    /** The rules and rates that made its prices; null: it is not filled. */
    pricedBy: string | null
  } => ({ supplierId: null, fill: async () => undefined, pricedBy: null }),
)

/** In which a member's calls run. */
export function worldOf(ctx: Context, member: { key: { sandbox: boolean } | null } | null): Context {
  return member?.key?.sandbox === true ? sandboxOf(ctx) : ctx
}

/** In which an order is settled and told of. */
export function worldOfOrder(ctx: Context, supplierId: number | null): Context {
  return supplierId !== null && supplierId === sandboxSupplyOf(ctx).supplierId ? sandboxOf(ctx) : ctx
}

export function isSandbox({ memory }: Pick<Context, 'memory'>): boolean {
  return memory.isPlay
}

/** For what is answered or told there; nothing elsewhere. */
export function sandboxMark(ctx: Pick<Context, 'memory'>): { sandbox?: true } {
  return isSandbox(ctx) ? { sandbox: true } : {}
}

/** A reply of its call says so. */
export function tellWorld(reply: FastifyReply, world: Context): void {
  if (isSandbox(world)) reply.header(SANDBOX_HEADER, 'true')
}
