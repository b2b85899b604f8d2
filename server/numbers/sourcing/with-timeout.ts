import { SECOND } from '#contract/time.ts'

/** A supplier that has not answered by then is passed over; what it did is found out afterwards. */
export const SUPPLIER_TIMEOUT_MS = 8 * SECOND

/** Runs an outside call that is aborted, and given up on even if it does not listen, after `timeoutMs`. */
export async function withTimeout<T>(timeoutMs: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new Error(`no answer within ${timeoutMs} ms`)
    controller.abort(error)
    reject(error)
  }, timeoutMs)
  try {
    return await Promise.race([call(controller.signal), promise])
  } finally {
    clearTimeout(timer)
  }
}
