/** Work of less right than other work: only so much of it runs at once. */
export type Lane = {
  /** Runs `work` when there is room, in the order they came. One key waits once at a time. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Whatever waits under this key runs now, beside those in the lane. */
  letPast(key: string): void
}

export function createLane({ parallel }: { parallel: number }): Lane {
  let running = 0
  /** Oldest first; each is told whether it runs in the lane, or past it. */
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
    async run(key, work) {
      const inLane = await new Promise<boolean>((resolve) => {
        waiting.set(key, resolve)
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
