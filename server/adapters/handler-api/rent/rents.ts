import type { Refusal } from '#server/adapters/shared/resold/buy.ts'
import type { Names } from '#server/adapters/shared/resold/names.ts'
import type { RentalExtension, RentOffer, RentOrder } from '#server/core/suppliers/supplier.ts'
import type { Account } from '../buy/account.ts'
import type { RentedNumber } from '../wire/read-rent.ts'
import type { ResoldExtension, ResoldRent } from './queries.ts'

/** A rented number whose messages are looked for. */
export type OpenRent = {
  reference: string
  rentId: string
  phone: string
  expiresAt: Date
  /** Milliseconds of performance.now. */
  wantedSinceMs: number
  /** Milliseconds of performance.now. */
  lookedMs: number
  /** As many messages as the other had when they were last read. */
  seen: number
  /** Looks in a row that did not show it. */
  missed: number
}

/** What an account has rented. */
export type Rents = {
  readonly account: Account
  readonly way: RentWay
  /** By our reference. */
  readonly open: Map<string, OpenRent>
  /** References that are being asked for now. */
  readonly asking: Set<string>
  wakePoll: () => void
}

/** In the other's codes. */
export type WantedRent = { order: RentOrder; service: string; country: string }
/** What the row of an order keeps. `strangers`: rentals that the other listed before. */
export type ReadyRent = { costMicros: bigint; strangers: string[] }
export type ReadyExtension = { costMicros: bigint; historyBefore: number | null }
export type Sought = Pick<RentalExtension, 'reference' | 'extensionReference' | 'hours'>

/** What differs between the services that rent numbers out. */
export type RentWay = {
  readOffers(names: Names): Promise<RentOffer[]>
  /** Orders that would be mistaken for each other are asked for one at a time. Throws Unsent when nothing has begun. */
  inQueue<Result>(wisher: string, work: () => Promise<Result>): Promise<Result>
  /** Before anything is asked for; an error here leaves nothing rented. */
  readyRent(rents: Rents, wanted: WantedRent, signal: AbortSignal): Promise<ReadyRent | Refusal>
  /** What getRentNumber and continueRentNumber take besides. */
  parametersOf(asked: { name: string; maxCostMicros: bigint }): Record<string, string>
  /** null: it was never rented. Throws while that is not known. */
  findRented(rents: Rents, row: ResoldRent): Promise<RentedNumber | null>
  readyExtension(rents: Rents, extension: RentalExtension, signal: AbortSignal): Promise<ReadyExtension | 'refused'>
  /** Null: the other tells what it cost when it is looked for. */
  costOfGranted(ready: ReadyExtension): bigint | null
  /** null: not extended, or not yet. Throws while nothing is told. */
  findExtended(rents: Rents, sought: Sought, row: ResoldExtension): Promise<{ costMicros: bigint } | null>
  /** All open rentals. */
  look(rents: Rents, stopping: AbortSignal): Promise<void>
  /** What came until then is stored. */
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
