import type { Refusal } from '#server/adapters/shared/resold/buy.ts'
import type { Names } from '#server/adapters/shared/resold/names.ts'
import type { RentalExtension, RentOffer, RentOrder } from '#server/core/suppliers/supplier.ts'
import type { Account } from '../buy/account.ts'
import type { RentedNumber } from '../wire/read-rent.ts'
import type { ResoldExtension, ResoldRent } from './queries.ts'

/** A rented number whose messages are polled. */
export type OpenRent = {
  reference: string
  rentId: string
  phone: string
  expiresAt: Date
  /** The time in milliseconds of performance.now. */
  wantedSinceMs: number
  /** The time in milliseconds of performance.now. */
  lookedMs: number
  /** The number of messages that the supplier had at the last read. */
  seen: number
  /** The number of consecutive polls that did not list the rental. */
  missed: number
}

export type Rents = {
  readonly account: Account
  readonly way: RentWay
  /** Open rentals by our reference. */
  readonly open: Map<string, OpenRent>
  /** References whose request is in flight. */
  readonly asking: Set<string>
  wakePoll: () => void
}

/** A wanted rental in the codes of the supplier. */
export type WantedRent = { order: RentOrder; service: string; country: string }
/** The stored part of an order. `strangers` are rentals that the supplier listed before. */
export type ReadyRent = { costMicros: bigint; strangers: string[] }
export type ReadyExtension = { costMicros: bigint; historyBefore: number | null }
export type Sought = Pick<RentalExtension, 'reference' | 'extensionReference' | 'hours'>

/** The differences between services that rent numbers out. */
export type RentWay = {
  readOffers(names: Names): Promise<RentOffer[]>
  /** Rentals that could be mistaken for each other are requested one at a time. Throws Unsent if none was begun. */
  inQueue<Result>(wisher: string, work: () => Promise<Result>): Promise<Result>
  /** Prepares a rental before it is requested; an error here leaves nothing rented. */
  readyRent(rents: Rents, wanted: WantedRent, signal: AbortSignal): Promise<ReadyRent | Refusal>
  /** Further parameters of getRentNumber and continueRentNumber. */
  parametersOf(asked: { name: string; maxCostMicros: bigint }): Record<string, string>
  /** Returns null if the number was never rented. Throws while that is unknown. */
  findRented(rents: Rents, row: ResoldRent): Promise<RentedNumber | null>
  readyExtension(rents: Rents, extension: RentalExtension, signal: AbortSignal): Promise<ReadyExtension | 'refused'>
  /** Returns null if the cost is known only from a later query. */
  costOfGranted(ready: ReadyExtension): bigint | null
  /** Returns null if the rental is not extended, or not yet. Throws if the supplier says nothing about it. */
  findExtended(rents: Rents, sought: Sought, row: ResoldExtension): Promise<{ costMicros: bigint } | null>
  look(rents: Rents, stopping: AbortSignal): Promise<void>
  /** Stores the messages that arrived before the end. */
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
