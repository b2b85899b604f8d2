import { SECOND } from '#contract/time.ts'

/** Repeatable calls are retried once after these statuses (specification 7). */
export const RETRIED_STATUSES = new Set([408, 409, 425, 429, 500, 502, 503, 504])
/** The maximum of the random delay before a retry, in ms. Clients that failed together must not return together. */
const SHORT_PAUSE_MS = SECOND / 2
/** The maximum delay. A longer `Retry-After` is cut, because the user looks at an empty page in the meantime. */
const LONGEST_PAUSE_MS = 5 * SECOND

/** Returns the delay before a retry. `response` is null if no response arrived. */
export function retryDelayMs(response: Response | null): number {
  const asked = Number(response?.headers.get('retry-after') ?? Number.NaN) * SECOND
  if (asked >= 0) return Math.min(asked, LONGEST_PAUSE_MS)
  return SHORT_PAUSE_MS * (0.5 + Math.random() / 2)
}

/** Resolves after `ms`. If the signal aborts, it rejects with the signal's reason. */
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
