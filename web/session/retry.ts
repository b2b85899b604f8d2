import { SECOND } from '#contract/time.ts'

/** A call that can be asked again without harm is asked once more after these (product.md section 7). */
export const RETRIED_STATUSES = new Set([408, 409, 425, 429, 500, 502, 503, 504])
/** Between half of this and all of it, so that those who failed together do not come back together. */
const SHORT_PAUSE_MS = SECOND / 2
/** Nobody looks at an empty page for longer; a server that asks for more is asked again all the same, once. */
const LONGEST_PAUSE_MS = 5 * SECOND

/** How long to wait before a call is asked again: what its answer says, within a limit. Null: there was none. */
export function retryDelayMs(response: Response | null): number {
  const asked = Number(response?.headers.get('retry-after') ?? Number.NaN) * SECOND
  if (asked >= 0) return Math.min(asked, LONGEST_PAUSE_MS)
  return SHORT_PAUSE_MS * (0.5 + Math.random() / 2)
}

/** Waits, or rejects with the reason of the signal when the caller has given up. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    }, ms)
    signal?.addEventListener('abort', giveUp, { once: true })
  })
}
