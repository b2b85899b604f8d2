type WaitLimit = { waitMs: number; late: () => Error }

/** Runs at most `parallel` pieces of work at once. Further work waits in order; callers decide how much may wait. */
export class Semaphore {
  readonly #parallel: number
  /** Waiting work, oldest first. Call a function to start its work, with `true` if the work counts as parallel. */
  readonly #waiting = new Map<unknown, (isCounted: boolean) => void>()
  #running = 0

  constructor({ parallel }: { parallel: number }) {
    this.#parallel = parallel
  }

  /** Runs the work when its turn comes. Only one piece may wait per `key`. Rejects if `limit.waitMs` passes before. */
  async run<T>(
    work: () => Promise<T>,
    { key = Symbol('waits'), limit }: { key?: unknown; limit?: WaitLimit } = {},
  ): Promise<T> {
    const isFree = this.#running < this.#parallel
    if (isFree) this.#running += 1
    const isCounted = isFree || (await this.#wait(key, limit))
    try {
      return await work()
    } finally {
      if (isCounted) this.#next()
    }
  }

  /** Starts the work that waits under the key at once, in addition to the allowed parallel work. */
  letPast(key: unknown): void {
    this.#begin(key, false)
  }

  #wait(key: unknown, limit: WaitLimit | undefined): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const leave = (late: () => Error) => {
        this.#waiting.delete(key)
        reject(late())
      }
      const timer = limit && setTimeout(leave, limit.waitMs, limit.late)
      this.#waiting.set(key, (isCounted) => {
        clearTimeout(timer)
        resolve(isCounted)
      })
    })
  }

  /** Hands a free place to the oldest waiting work directly, so that no newcomer can take it in between. */
  #next(): void {
    const [oldest] = this.#waiting.keys()
    if (oldest === undefined) this.#running -= 1
    else this.#begin(oldest, true)
  }

  #begin(key: unknown, isCounted: boolean): void {
    const go = this.#waiting.get(key)
    this.#waiting.delete(key)
    go?.(isCounted)
  }
}
