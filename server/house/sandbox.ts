import type { FastifyReply } from 'fastify'
import { SANDBOX_HEADER } from '#contract/formats/play-money.ts'
import type { Context } from './context.ts'
import { createMetrics } from './http/door/metrics.ts'
import { Memory, perContext } from './memory.ts'

/**
 * Returns the context of calls with play money. It shares the real service's in-memory values of the scope `process`
 * only.
 */
export const sandboxOf = perContext(
  'sandbox',
  { scope: 'process', nodes: 'own', lost: 'nothing: it is made again' },
  (ctx: Context): Context => ({ ...ctx, metrics: createMetrics({ ofProcess: false }), memory: new Memory(ctx) }),
)

/**
 * Returns the supplier of play numbers. The first sandbox API key calls `fill`, so that an unused sandbox costs no
 * memory.
 */
export const sandboxSupplyOf = perContext(
  'supply of the sandbox',
  { scope: 'process', nodes: 'told', lost: 'nothing: it is filled again' },
  (): {
    supplierId: number | null
    fill: () => Promise<void>
    /** The rules and rates from which the sandbox's prices were computed; null until the sandbox is filled. */
    pricedBy: string | null
  } => ({ supplierId: null, fill: async () => undefined, pricedBy: null }),
)

export function contextOf(ctx: Context, member: { key: { sandbox: boolean } | null } | null): Context {
  return member?.key?.sandbox === true ? sandboxOf(ctx) : ctx
}

export function contextOfOrder(ctx: Context, supplierId: number | null): Context {
  return supplierId !== null && supplierId === sandboxSupplyOf(ctx).supplierId ? sandboxOf(ctx) : ctx
}

export function isSandbox({ memory }: Pick<Context, 'memory'>): boolean {
  return memory.isPlay
}

export function sandboxMark(ctx: Pick<Context, 'memory'>): { sandbox?: true } {
  return isSandbox(ctx) ? { sandbox: true } : {}
}

export function markSandboxReply(reply: FastifyReply, world: Context): void {
  if (isSandbox(world)) reply.header(SANDBOX_HEADER, 'true')
}
