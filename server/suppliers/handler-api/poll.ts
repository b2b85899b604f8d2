import { MINUTE, SECOND } from '#contract/time.ts'
import { type Account, lookAtActive, referenceOfName } from './account.ts'
import type { OpenNumber } from './open-number.ts'
import { closeByOther, takeMessages } from './open-numbers.ts'
import { findOrder } from './queries/orders.ts'
import { askStatus } from './status.ts'
import type { ActiveItem } from './wire/read-active.ts'

export type Poll = { wake(): void; stop(): Promise<void> }

/** Codes mostly come at once; later a look is more seldom. */
const FRESH_MS = 2 * MINUTE
const SELDOM = 3
const LONGEST_PAUSE_MS = 60 * SECOND
/** Not in two looks in a row: a page may have shifted. */
const MISSED = 2
const MOST_STRAYS = 20

/** `open`: what is looked at. `look` ends early when it is told to stop. */
type Looked = { open: ReadonlyMap<string, { wantedSinceMs: number }>; look: (stopping: AbortSignal) => Promise<void> }

export function pollOfActivations(account: Account): Poll {
  return createPoll(account, { open: account.open, look: (stopping) => lookOnce(account, stopping) })
}

/** One look at all open numbers, again and again, while there are any. */
export function createPoll(account: Account, { open, look }: Looked): Poll {
  const { ctx, settings, dialect } = account
  const pauseMs = (settings.pollSeconds ?? dialect.pollSeconds) * SECOND
  let timer: NodeJS.Timeout | undefined
  /** Of the timer. */
  let dueMs = 0
  let running: Promise<void> | null = null
  const stopping = new AbortController()
  let failures = 0

  const nextMs = (): number => {
    const since = performance.now() - FRESH_MS
    const isFresh = [...open.values()].some(({ wantedSinceMs }) => wantedSinceMs > since)
    return Math.min(LONGEST_PAUSE_MS, pauseMs * (isFresh ? 1 : SELDOM) * 2 ** Math.min(failures, 8))
  }
  const schedule = (ms: number): void => {
    if (stopping.signal.aborted || open.size === 0) return
    dueMs = performance.now() + ms
    timer = setTimeout(() => {
      timer = undefined
      running = turn().finally(() => {
        running = null
        schedule(nextMs())
      })
    }, ms)
  }
  const turn = async (): Promise<void> => {
    try {
      await look(stopping.signal)
      failures = 0
    } catch (error) {
      if (stopping.signal.aborted) return
      failures += 1
      ctx.log.warn({ error, supplier: account.code }, 'open numbers of a supplier could not be looked at')
    }
  }

  return {
    wake() {
      if (running !== null || stopping.signal.aborted) return
      // What waits long for its next look is looked at as soon as something new is. A steady trade must not put it off.
      const ms = Math.min(pauseMs, nextMs())
      if (timer !== undefined && dueMs <= performance.now() + ms) return
      clearTimeout(timer)
      schedule(ms)
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}

async function lookOnce(account: Account, stopping: AbortSignal): Promise<void> {
  const open = [...account.open.values()]
  if (account.dialect.list === null)
    return forEachOpen(account, { open, stopping }, (number) => lookAtOne(account, number, stopping))
  const beganMs = performance.now()
  const items = await lookAtActive(account, { fresh: true, signal: stopping })
  const byId = new Map(items.map((item) => [item.activationId, item]))
  await forEachOpen(account, { open, stopping }, async (number) => {
    const item = byId.get(number.activationId)
    number.missed = item === undefined ? number.missed + 1 : 0
    if (item !== undefined) await takeMessages(account, number, { ...item, beganMs, stopping })
    else if (number.missed >= MISSED) await lookAtOne(account, number, stopping)
  })
  if (!stopping.aborted) await giveBackStrays(account, items)
}

/** One number that fails holds up no other. Throws when all of them fail. */
export async function forEachOpen<Open extends { reference: string }>(
  { ctx, code }: Account,
  { open, stopping }: { open: readonly Open[]; stopping: AbortSignal },
  work: (number: Open) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = []
  for (const number of open) {
    if (stopping.aborted) return
    await work(number).catch((error: unknown) => {
      errors.push(error)
      ctx.log.debug({ error, supplier: code, reference: number.reference }, 'a number could not be looked at')
    })
  }
  if (errors.length > 0 && errors.length === open.length) throw errors[0]
}

export async function lookAtOne(account: Account, number: OpenNumber, stopping: AbortSignal): Promise<void> {
  const beganMs = performance.now()
  const status = await askStatus(account, number, stopping)
  await takeMessages(account, number, { ...status, beganMs, stopping })
  // Ended here meanwhile: the job tells the other.
  if (status.isOver && !stopping.aborted && account.open.has(number.reference)) await closeByOther(account, number)
}

/**
 * A purchase that reached the other after we were told that there is none. It bears our name, so it is nobody else's,
 * and its buyer has the money back.
 */
async function giveBackStrays(account: Account, items: readonly ActiveItem[]): Promise<void> {
  const { ctx, supplierId, code } = account
  const named = items.flatMap(({ activationId, orderId }) => {
    const reference = referenceOfName(account, orderId)
    return reference === null || account.open.has(reference) ? [] : [{ activationId, reference }]
  })
  for (const { activationId, reference } of named.slice(0, MOST_STRAYS)) {
    const order = await findOrder(ctx.db, { supplierId, reference })
    if (order?.state !== 'none' && order?.state !== 'refused') continue
    const reply = await account.ask({ action: 'setStatus', parameters: { id: activationId, status: '8' } })
    // In the first minutes it may be refused; the next look asks again.
    const level = reply.word === 'ACCESS_CANCEL' ? 'warn' : 'debug'
    ctx.log[level]({ supplier: code, reference, word: reply.word }, 'a purchase that came too late is given back')
  }
}
