import type { RealtimeLimits } from '#server/realtime/limits.ts'

/** Sockets above a limit that are still told why, with a close code. Beyond these the TCP connection is dropped. */
const REFUSED_AT_ONCE = 50

/** Counts open sockets, refused and closing ones included until they are gone, in all and by network. */
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

  /** Whether so many are being refused already that one more does not deserve an upgrade. */
  isFlooded(network: string): boolean {
    return (
      this.#open >= this.#limits.maxSockets + REFUSED_AT_ONCE ||
      this.#of(network) >= this.#limits.maxSocketsPerAddress + REFUSED_AT_ONCE
    )
  }

  /** Counts a socket in. Each must be counted out by `leave`, a refused one as well. */
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
