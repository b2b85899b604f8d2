type WaitLimit = { waitMs: number; late: () => Error }

/**
 * Runs `parallel` pieces of work at once; the rest waits in order of arrival. Callers limit the queue themselves,
 * because some know more about who may wait.
 */
export class Semaphore {
  readonly #parallel: number
  /** Waiting work, oldest first. Calling an entry with `true` runs it within the limit. */
  readonly #waiting = new Map<unknown, (isCounted: boolean) => void>()
  #running = 0

  constructor({ parallel }: { parallel: number }) {
    this.#parallel = parallel
  }

  /** A `key` waits once. Work that has not begun after `limit.waitMs` never begins and rejects. */
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

  /** Runs the work that waits under this key now, beside the limit. */
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

  /** Finished work hands its place to the next in line, so nobody comes in between. */
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
