import { SECOND } from '#contract/time.ts'

/** If the clock is ahead of a reply by more than this, the visitor has changed the device's clock. */
const MOST_AHEAD_MS = 2 * SECOND

/** The clock may be behind the server but never ahead, so that the server accepts a press that a countdown allowed. */
export type ServerClock = {
  /** The first rendering in the browser uses this time to match the server's HTML. */
  pageNowMs: number
  nowMs(): number
  subscribe(listener: () => void): () => void
  /** Adjusts the clock by the `Date` header of a reply that has just arrived. */
  sync(dateHeader: string | null): void
}

export function createServerClock(pageNow: string): ServerClock {
  const pageNowMs = Date.parse(pageNow)
  const listeners = new Set<() => void>()
  let offsetMs: number | null = null
  let tickedMs = pageNowMs
  let timer: ReturnType<typeof setInterval> | undefined

  function tick(): void {
    offsetMs ??= pageNowMs - Date.now()
    tickedMs = Date.now() + offsetMs
    for (const listener of listeners) listener()
  }

  return {
    pageNowMs,
    nowMs: () => tickedMs,
    subscribe: (listener) => {
      listeners.add(listener)
      if (timer === undefined) {
        timer = setInterval(tick, SECOND)
        tick()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
    sync: (dateHeader) => {
      const serverMs = dateHeader === null ? Number.NaN : Date.parse(dateHeader)
      // The computed offset is a lower bound, because the header has whole seconds and the reply took time to arrive.
      const freshMs = serverMs - Date.now()
      const isNews = offsetMs === null || freshMs > offsetMs || freshMs < offsetMs - MOST_AHEAD_MS
      if (Number.isFinite(freshMs) && isNews) offsetMs = freshMs
      // The clock ticks at once, because a new record in the reply must not appear with an old time.
      if (timer !== undefined) tick()
    },
  }
}
