import { setImmediate as yieldToOthers } from 'node:timers/promises'
import {
  type GenuineEvent,
  insertRepeated,
  storeEvents,
  type TakenEvent,
} from '#server/core/payments/queries/events.ts'
import type { Background } from '#server/house/background.ts'
import { isDatabaseAway } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'
import { tooBusy } from '#server/house/errors/errors.ts'
import { perContext } from '#server/house/memory.ts'

/** The maximum number of webhooks stored by one statement; their bodies take at most 4 MiB. */
const MOST_AT_ONCE = 64
const MOST_WAITING = 1_000
const RETRY_SECONDS = 2

/** The parts of the context that the batcher uses. It does not take the whole context, which contains the batcher. */
type Stores = { db: Db; background: Background }

type Waiting = { event: GenuineEvent; stored: PromiseWithResolvers<TakenEvent | undefined> }

/**
 * Stores webhooks in groups: those that arrive while a statement runs wait for the next statement. Each is answered
 * after its commit.
 */
export class EventBatcher {
  readonly #waiting: Waiting[] = []
  #isAtWork = false

  /** Stores a webhook. Throws TOO_MANY_REQUESTS (503) if too many webhooks wait. */
  async store(ctx: Stores, event: GenuineEvent): Promise<TakenEvent> {
    if (this.#waiting.length >= MOST_WAITING) throw tooBusy(RETRY_SECONDS)
    const stored = Promise.withResolvers<TakenEvent | undefined>()
    this.#waiting.push({ event, stored })
    if (!this.#isAtWork) ctx.background.run('store events of gateways', () => this.#work(ctx.db))
    return (await stored.promise) ?? insertRepeated(ctx.db, event)
  }

  async #work(db: Db): Promise<void> {
    this.#isAtWork = true
    try {
      while (this.#waiting.length > 0) {
        // The pause lets requests that were just read join the batch.
        await yieldToOthers()
        await this.#storeTogether(db, this.#waiting.splice(0, MOST_AT_ONCE))
      }
    } finally {
      this.#isAtWork = false
    }
  }

  async #storeTogether(db: Db, together: readonly Waiting[]): Promise<void> {
    const events = together.map(({ event }) => event)
    try {
      const taken = await storeEvents(db, events)
      for (const [index, { stored }] of together.entries()) stored.resolve(taken[index])
    } catch (error) {
      const isAway = isDatabaseAway(error)
      // During an outage of the database, all waiting webhooks fail at once, so that their gateways repeat them.
      const failed = isAway ? [...together, ...this.#waiting.splice(0)] : together
      if (isAway || failed.length === 1) for (const { stored } of failed) stored.reject(error)
      // A webhook that cannot be stored must not harm other webhooks, so each is stored alone.
      else for (const one of together) await this.#storeTogether(db, [one])
    }
  }
}

export const eventBatcherOf = perContext(
  'events of gateways being stored',
  { scope: 'process', nodes: 'own', lost: 'events nobody has acknowledged: gateways send them again' },
  () => new EventBatcher(),
)
