import { isIPv6 } from 'node:net'
import type { RealtimeLimits } from '#server/realtime/limits.ts'
import { CODE, type Refusal } from '#server/realtime/protocol.ts'

/** Sockets above a limit that are still told why, with a close code. Beyond these the TCP connection is dropped. */
const REFUSED_AT_ONCE = 50

/** Counts open sockets, refused ones included until they are gone, in all and by client address. */
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
  isFlooded(address: string): boolean {
    return (
      this.#open >= this.#limits.maxSockets + REFUSED_AT_ONCE ||
      this.#of(networkOf(address)) >= this.#limits.maxSocketsPerAddress + REFUSED_AT_ONCE
    )
  }

  /** Counts a socket in. Each must be counted out by `leave`, a refused one as well. */
  enter(address: string): Refusal | undefined {
    const network = networkOf(address)
    this.#open += 1
    this.#byNetwork.set(network, this.#of(network) + 1)
    if (this.#of(network) > this.#limits.maxSocketsPerAddress) {
      return { code: CODE.overQuota, message: 'Too many connections from this address' }
    }
    if (this.#open > this.#limits.maxSockets) return { code: CODE.overCapacity, message: 'Over capacity' }
    return undefined
  }

  leave(address: string): void {
    const network = networkOf(address)
    this.#open -= 1
    const left = this.#of(network) - 1
    if (left > 0) this.#byNetwork.set(network, left)
    else this.#byNetwork.delete(network)
  }

  #of(network: string): number {
    return this.#byNetwork.get(network) ?? 0
  }
}

const IPV4_IN_IPV6 = '::ffff:'

/** One customer of an IPv6 provider owns a /64 and could use another address for each socket. */
export function networkOf(address: string): string {
  const plain = address.toLowerCase().startsWith(IPV4_IN_IPV6) ? address.slice(IPV4_IN_IPV6.length) : address
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.toLowerCase().split('%')[0]?.split('::') ?? []
  const groups = head === '' ? [] : head.split(':')
  const tailGroups = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - tailGroups.length
  const all = [...groups, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...tailGroups]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
