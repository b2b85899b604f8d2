import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** Where the time comes from. Tests pass a clock they move themselves. */
export type Clock = { now(): Date }

/** Where chance comes from. */
export type Random = {
  bytes(length: number): Buffer
  /** A whole number, 0 ≤ n < limit. */
  below(limit: number): number
  uuid(): string
}

export const systemClock: Clock = { now: () => new Date() }

export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
  below: (limit) => randomInt(limit),
  uuid: () => randomUUID(),
}
