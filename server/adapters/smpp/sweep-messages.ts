import { setTimeout as wait } from 'node:timers/promises'
import { transaction } from '#server/house/db/transaction.ts'
import { deliverMessage, type Inbox, secondsFrom } from './inbox.ts'
import {
  deleteDelivered,
  deleteRepeats,
  giveUpWaiting,
  lockOverdueMessages,
  postponeDelivery,
  selectUndelivered,
} from './queries/parts.ts'

const SWEEP_MS = 2_000
const BATCH = 100
const RETRY_SECONDS = 5
const MOST_RETRY_SECONDS = 600
/** The maximum number of attempts to deliver a message, over half a day. Then staff must look at its row. */
const MAX_ATTEMPTS = 80
const KEEP_DELIVERED_SECONDS = 3_600

export function startSweeping(inbox: Inbox): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = sweepUntil(inbox, signal)
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

async function sweepUntil(inbox: Inbox, signal: AbortSignal): Promise<void> {
  let sweep = recoverMessages
  while (!signal.aborted) {
    try {
      await sweep(inbox)
      sweep = sweepMessages
    } catch (error) {
      inbox.ctx.log.error({ error, supplierId: inbox.supplierId }, 'the sweep of long SMS failed')
    }
    // The wait rejects only after stop(), and then the loop's condition ends the loop.
    await wait(SWEEP_MS, undefined, { signal }).catch(() => undefined)
  }
}

export async function sweepMessages(inbox: Inbox): Promise<void> {
  const { ctx, supplierId } = inbox
  const now = ctx.clock.now()
  const firstPartBefore = secondsFrom(now, -inbox.partsWaitSeconds)
  await transaction(ctx.db, async (tx) => {
    const ids = await lockOverdueMessages(tx, { supplierId, firstPartBefore, limit: BATCH })
    if (ids.length === 0) return
    await deleteRepeats(tx, ids)
    await giveUpWaiting(tx, ids, now)
  })
  await deliverDue(inbox, now)
  await deleteDelivered(ctx.db, supplierId, secondsFrom(now, -KEEP_DELIVERED_SECONDS))
}

export async function recoverMessages(inbox: Inbox): Promise<void> {
  // The time is set ahead by the longest retry delay, so that all messages of an earlier process are due.
  await deliverDue(inbox, secondsFrom(inbox.ctx.clock.now(), MOST_RETRY_SECONDS))
}

async function deliverDue(inbox: Inbox, dueAt: Date): Promise<void> {
  const { ctx, supplierId } = inbox
  for (const id of await selectUndelivered(ctx.db, { supplierId, dueAt, maxAttempts: MAX_ATTEMPTS, limit: BATCH })) {
    try {
      await deliverMessage(inbox, id)
    } catch (error) {
      ctx.log.error({ error, supplierId, messageId: id.toString() }, 'a long SMS could not be handed over yet')
      const now = ctx.clock.now()
      await postponeDelivery(ctx.db, id, { now, firstSeconds: RETRY_SECONDS, mostSeconds: MOST_RETRY_SECONDS })
    }
  }
}
