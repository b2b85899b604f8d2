/** Repeated work. Its stop waits for the current run. */
export type Task = {
  firstWithin(ms: number): Promise<void>
  stop(): Promise<void>
}

type Work = { everyMs: number; retryMs: (failures: number, everyMs: number) => number; work: () => Promise<void> }

/** Starts repeated work at once. After each run, `tell` gets the error or null. */
export function startTask({ everyMs, retryMs, work }: Work, tell: (error: unknown) => void): Task {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let failures = 0
  const round = async (): Promise<void> => {
    try {
      await work()
      failures = 0
      tell(null)
    } catch (error) {
      failures += 1
      if (!isStopped) tell(error)
    }
    if (isStopped) return
    timer = setTimeout(
      () => {
        running = round()
      },
      failures === 0 ? everyMs : retryMs(failures, everyMs),
    )
  }
  let running = round()
  const first = running
  return {
    async firstWithin(ms) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const limit = setTimeout(resolve, ms)
      await Promise.race([first, promise])
      clearTimeout(limit)
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
