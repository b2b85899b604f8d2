import type { Log } from '#server/house/log.ts'

/** Runs work that no caller awaits. A failure of the work is logged once, and a shutdown waits for the work to end. */
export class Background {
  readonly #log: Log
  readonly #underWay = new Set<Promise<void>>()

  constructor(log: Log) {
    this.#log = log
  }

  run(name: string, work: () => Promise<unknown>): void {
    const ended: Promise<void> = this.#attempt(name, work).finally(() => this.#underWay.delete(ended))
    this.#underWay.add(ended)
  }

  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  async #attempt(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#log.warn({ error, work: name }, 'work in the background failed')
    }
  }
}
