import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context } from './context.ts'

const ids = new AsyncLocalStorage<string>()

/** Runs `work` for the request, the job or the message with this id: what it logs by `logDone` carries the id. */
export function underId<T>(id: string, work: () => T): T {
  return ids.run(id, work)
}

/** The same with the id that is worked under already, or else one of its own. */
export function underOwnId<T>(ctx: Pick<Context, 'random'>, work: () => T): T {
  return ids.getStore() === undefined ? ids.run(ctx.random.uuid(), work) : work()
}

/**
 * One info line for something that was done: a sale, a message, a change by staff. `requestId` is that of the reply
 * (`X-Request-Id`), or the job's or the message's own. Never a text, a code or a whole phone.
 */
export function logDone(ctx: Pick<Context, 'log' | 'random'>, fields: Record<string, unknown>, sentence: string): void {
  ctx.log.info({ requestId: ids.getStore() ?? ctx.random.uuid(), ...fields }, sentence)
}
