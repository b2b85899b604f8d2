import { SECOND } from '#contract/time.ts'

/** A larger lead over a reply means that the visitor has changed the device's clock. */
const MOST_AHEAD_MS = 2 * SECOND

/** The server's time may lag here but never leads, so the server accepts every press that a countdown allows. */
export type ServerClock = {
  /** The first rendering in the browser uses this time to match the server's HTML. */
  pageNowMs: number
  /** As of the last tick. */
  nowMs(): number
  subscribe(listener: () => void): () => void
  /** Takes the `Date` header of a reply that has just arrived. */
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
      // A lower bound: the header has whole seconds, and the reply took time to arrive.
      const freshMs = serverMs - Date.now()
      const isNews = offsetMs === null || freshMs > offsetMs || freshMs < offsetMs - MOST_AHEAD_MS
      if (Number.isFinite(freshMs) && isNews) offsetMs = freshMs
      // The reply's content, perhaps a new number, must not appear with the time of the last tick.
      if (timer !== undefined) tick()
    },
  }
}
