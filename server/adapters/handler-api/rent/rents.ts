import type { Refusal } from '#server/adapters/shared/resold/buy.ts'
import type { Names } from '#server/adapters/shared/resold/names.ts'
import type { RentalExtension, RentOffer, RentOrder } from '#server/core/suppliers/supplier.ts'
import type { Account } from '../buy/account.ts'
import type { RentedNumber } from '../wire/read-rent.ts'
import type { ResoldExtension, ResoldRent } from './queries.ts'

export type OpenRent = {
  reference: string
  rentId: string
  phone: string
  expiresAt: Date
  /** The time since which the buyer waits for a message, in milliseconds of performance.now. */
  wantedSinceMs: number
  lookedMs: number
  /** The number of messages that the supplier had at the last read. */
  seen: number
  /** The number of consecutive polls that did not list the rental. */
  missed: number
}

export type Rents = {
  readonly account: Account
  readonly way: RentWay
  readonly open: Map<string, OpenRent>
  readonly asking: Set<string>
  wakePoll: () => void
}

export type WantedRent = { order: RentOrder; service: string; country: string }
/**
 * The values stored with an order before its request. `strangers` are the rentals that the supplier listed before the
 * request.
 */
export type ReadyRent = { costMicros: bigint; strangers: string[] }
export type ReadyExtension = { costMicros: bigint; historyBefore: number | null }
export type Sought = Pick<RentalExtension, 'reference' | 'extensionReference' | 'hours'>

export type RentWay = {
  readOffers(names: Names): Promise<RentOffer[]>
  /** Runs orders that could be mistaken for each other one at a time. Throws Unsent when an order was not begun. */
  inQueue<Result>(wisher: string, work: () => Promise<Result>): Promise<Result>
  /** Runs before anything is requested from the supplier, so an error here leaves nothing rented. */
  readyRent(rents: Rents, wanted: WantedRent, signal: AbortSignal): Promise<ReadyRent | Refusal>
  parametersOf(asked: { name: string; maxCostMicros: bigint }): Record<string, string>
  /** Finds a rental whose reply was lost. Returns null if the number was never rented. Throws while that is unknown. */
  findRented(rents: Rents, row: ResoldRent): Promise<RentedNumber | null>
  readyExtension(rents: Rents, extension: RentalExtension, signal: AbortSignal): Promise<ReadyExtension | 'refused'>
  /** Returns the cost of a granted extension, or null if only a later request tells the cost. */
  costOfGranted(ready: ReadyExtension): bigint | null
  /**
   * Finds an extension whose reply was lost. Returns null if the rental is not extended, or not yet. Throws if the
   * supplier says nothing about the rental.
   */
  findExtended(rents: Rents, sought: Sought, row: ResoldExtension): Promise<{ costMicros: bigint } | null>
  look(rents: Rents, stopping: AbortSignal): Promise<void>
  readBeforeEnd(rents: Rents, rent: RentNamed, signal: AbortSignal): Promise<void>
  readAfterEnd(rents: Rents, rent: RentNamed, signal: AbortSignal): Promise<void>
}

export type RentNamed = Pick<OpenRent, 'reference' | 'rentId' | 'phone'>

type Kept = Pick<ResoldRent, 'reference' | 'rentId' | 'phone' | 'expiresAt'>

export function keepRented(rents: Rents, { reference, rentId, phone, expiresAt }: Kept): void {
  if (rentId === null || phone === null || rents.open.has(reference)) return
  const fresh = { wantedSinceMs: performance.now(), lookedMs: 0, seen: 0, missed: 0 }
  rents.open.set(reference, { reference, rentId, phone, expiresAt, ...fresh })
  rents.wakePoll()
}
