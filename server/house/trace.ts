import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context } from './context.ts'

const ids = new AsyncLocalStorage<string>()

export function underId<T>(id: string, work: () => T): T {
  return ids.run(id, work)
}

export function underOwnId<T>(ctx: Pick<Context, 'random'>, work: () => T): T {
  return ids.getStore() === undefined ? ids.run(ctx.random.uuid(), work) : work()
}

/** Logs an action under the id of its cause. Never log a message text, an SMS code or a whole phone number. */
export function logDone(ctx: Pick<Context, 'log' | 'random'>, fields: Record<string, unknown>, sentence: string): void {
  ctx.log.info({ requestId: ids.getStore() ?? ctx.random.uuid(), ...fields }, sentence)
}
