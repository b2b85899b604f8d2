import { SECOND } from '#contract/time.ts'

/**
 * The server's time in the browser: countdowns must not depend on the visitor's clock. It begins with the moment the page
 * was rendered, and every reply of the server sets it right, because a page may come from a cache.
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
      // The header counts whole seconds: half of one is the best guess for the rest, and less than that is no news.
      const freshMs = serverMs + SECOND / 2 - Date.now()
      if (Number.isFinite(freshMs) && (offsetMs === null || Math.abs(freshMs - offsetMs) > SECOND)) offsetMs = freshMs
      // What the reply brings, a new number perhaps, is shown with the time as it is now, not as of the last tick.
      if (timer !== undefined) tick()
    },
  }
}
