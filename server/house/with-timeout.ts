/** Runs `call` and aborts it after `timeoutMs`. Rejects then even if `call` ignores the abort signal. */
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
