import { SECOND } from '#contract/time.ts'

/** So much later than a reply says it cannot be: the visitor has set his clock. */
const MOST_AHEAD_MS = 2 * SECOND

/**
 * The server's time in the browser: countdowns must not depend on the visitor's clock. It begins with the moment the page
 * was rendered, and every reply of the server sets it right, because a page may come from a cache. It may be behind by a
 * moment, but not ahead: what it says can be pressed now, the server accepts.
 */
export type ServerClock = {
  /** The moment the page was rendered: the first rendering in the browser shows the same as the server's. */
  pageNowMs: number
  /** The time now as of the last tick, milliseconds. */
  nowMs(): number
  /** Calls the listener each second while there is one. */
  subscribe(listener: () => void): () => void
  /** Takes the `Date` header of a reply that came just now. */
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
      // At least so late is it there: the header counts whole seconds, and took a while to come.
      const freshMs = serverMs - Date.now()
      const isNews = offsetMs === null || freshMs > offsetMs || freshMs < offsetMs - MOST_AHEAD_MS
      if (Number.isFinite(freshMs) && isNews) offsetMs = freshMs
      // What the reply brings, a new number perhaps, is shown with the time as it is now, not as of the last tick.
      if (timer !== undefined) tick()
    },
  }
}
