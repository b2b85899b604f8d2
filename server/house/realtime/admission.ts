import type { RealtimeLimits } from '#server/house/realtime/limits.ts'

/** The number of sockets above the limit that still get a close code; further connections are dropped. */
const REFUSED_AT_ONCE = 50

/** Counts open sockets. Refused and closing sockets count until they are gone. */
export class Admission {
  readonly #limits: RealtimeLimits
  readonly #byNetwork = new Map<string, number>()
  #open = 0

  constructor(limits: RealtimeLimits) {
    this.#limits = limits
  }

  get open(): number {
    return this.#open
  }

  isFlooded(network: string): boolean {
    return (
      this.#open >= this.#limits.maxSockets + REFUSED_AT_ONCE ||
      this.#of(network) >= this.#limits.maxSocketsPerAddress + REFUSED_AT_ONCE
    )
  }

  enter(network: string): void {
    this.#open += 1
    this.#byNetwork.set(network, this.#of(network) + 1)
  }

  leave(network: string): void {
    this.#open -= 1
    const left = this.#of(network) - 1
    if (left > 0) this.#byNetwork.set(network, left)
    else this.#byNetwork.delete(network)
  }

  #of(network: string): number {
    return this.#byNetwork.get(network) ?? 0
  }
}
