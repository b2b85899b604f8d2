import type { Context } from '#server/house/context.ts'
import { holdsLease } from './node.ts'

/** The leases of work that one node at a time does, beside those of suppliers. The names group work that belongs together. */
export const WORK = ['sweeps', 'payments', 'webhooks', 'house', 'telegram'] as const

export type Work = (typeof WORK)[number]

/** Returns a function that does the work while this node holds its lease, and nothing otherwise. */
export function whileHeld(ctx: Context, lease: Work | undefined, work: () => Promise<unknown>): () => Promise<unknown> {
  return async () => {
    if (lease === undefined || holdsLease(ctx, lease)) await work()
  }
}
