type WaitLimit = { waitMs: number; late: () => Error }

/** A queue that limits how much work runs at once. */
export type Lane = {
  /** In order of arrival; each key waits once. What has not begun after `limit.waitMs` never does, and rejects. */
  run<T>(key: string, work: () => Promise<T>, limit?: WaitLimit): Promise<T>
  /** What waits under this key runs now, beside the lane. */
  letPast(key: string): void
}

export function createLane({ parallel }: { parallel: number }): Lane {
  let running = 0
  /** Oldest first; `true` runs it in the lane. */
  const waiting = new Map<string, (inLane: boolean) => void>()

  const begin = (key: string, inLane: boolean): void => {
    const go = waiting.get(key)
    if (go === undefined) return
    waiting.delete(key)
    if (inLane) running += 1
    go(inLane)
  }

  const goOn = (): void => {
    for (const key of waiting.keys()) {
      if (running >= parallel) return
      begin(key, true)
    }
  }

  return {
    async run(key, work, limit) {
      const inLane = await new Promise<boolean>((resolve, reject) => {
        const leave = (late: () => Error) => {
          waiting.delete(key)
          reject(late())
        }
        const timer = limit && setTimeout(leave, limit.waitMs, limit.late)
        waiting.set(key, (begins) => {
          clearTimeout(timer)
          resolve(begins)
        })
        goOn()
      })
      try {
        return await work()
      } finally {
        if (inLane) running -= 1
        goOn()
      }
    },
    letPast(key) {
      begin(key, false)
    },
  }
}
