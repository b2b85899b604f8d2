/**
 * What Ringpost asks of anybody who provides phone numbers: a simulator, our own number range, another platform.
 *
 * A supplier is never called inside a transaction. Each call gets an AbortSignal that carries the caller's time-out;
 * a call that throws or is aborted has an *unknown* outcome, which the sweeper later settles with `find`.
 */
import type { Currency } from '#contract/money.ts'
import type { Clock, Random } from '#server/clock.ts'
import type { Pool } from '#server/db/pool.ts'
import type { Log } from '#server/log.ts'

/** Numbers of one kind that a supplier can sell now. `costMicros` is what we pay per activation, in `currency`. */
export type Offer = {
  serviceCode: string
  countryId: number
  operator: string
  costMicros: bigint
  currency: Currency
  stock: number
}

export type PurchaseOrder = {
  /** Our key for this attempt. The same reference must never buy a second number. */
  reference: string
  /** Whom of ours it is for: a number is closed to some buyers (docs/api/smpp.md). Never told outside. */
  buyerId: number
  /** Numbers that begin with one of these would be given back. */
  excludedPrefixes?: readonly string[]
  serviceCode: string
  countryId: number
  /** null: any operator. */
  operator: string | null
  /** Above this, in `currency`, the supplier must refuse: fail-over never sells at a loss. */
  maxCostMicros: bigint
  currency: Currency
  /** When the buyer's time with the number ends. */
  expiresAt: Date
  /** The number wanted, digits only, which this buyer had before for this service: that one or none. */
  repeatOf?: string
}

/** A number that is ours until it is ended. `phone` is digits only, with the country code, without `+`. */
export type BoughtNumber = {
  outcome: 'bought'
  supplierReference: string
  phone: string
  operator: string
  costMicros: bigint
}
export type RefusedPurchase = { outcome: 'refused'; reason: 'no-numbers' | 'no-funds' | 'rejected'; detail?: string }
export type UnknownReference = { outcome: 'none' }

/** A number held by one of our activations, as the supplier knows it. */
export type HeldNumber = {
  reference: string
  supplierReference: string
  phone: string
  serviceCode: string
}

/**
 * How an activation ended, told to the supplier: `finished` after a code, `cancelled` or `expired` without one (the
 * number may be offered again), `used` when the buyer found it registered already (never again for that service), `unsold`
 * when no buyer was ever shown the number.
 */
export type Ending = 'finished' | 'cancelled' | 'expired' | 'used' | 'unsold'

/** Numbers that a supplier rents out now, for one length of time. `costMicros` is what the whole period costs us. */
export type RentOffer = Offer & { hours: number }

export type RentOrder = PurchaseOrder & { hours: number }

export type RentalExtension = {
  /** The reference the number was rented by. */
  reference: string
  supplierReference: string
  /** Our key for this extension. The same key must never be charged twice. */
  extensionReference: string
  hours: number
  maxCostMicros: bigint
  currency: Currency
  /** When the number's time ends after it. */
  expiresAt: Date
}

/** Renting out whole periods: a number is its renter's alone, whatever the service. References begin with `r`. */
export type RentSupplier = {
  listRentOffers(signal: AbortSignal): Promise<RentOffer[]>
  /** Idempotent on `order.reference`. `serviceCode` `full`: messages of every service. */
  rent(order: RentOrder, signal: AbortSignal): Promise<BoughtNumber | RefusedPurchase>
  /** As Supplier.find: after `none`, a later `rent` with that reference is refused. */
  findRental(reference: string, signal: AbortSignal): Promise<BoughtNumber | UnknownReference>
  /** Idempotent on `extensionReference`. `refused`: nothing was done, and a later call with this reference does nothing. */
  extendRental(
    extension: RentalExtension,
    signal: AbortSignal,
  ): Promise<{ outcome: 'extended'; costMicros: bigint } | { outcome: 'refused' }>
  /** What became of an extension whose answer never arrived. After `none`, a later `extendRental` with that reference is refused. */
  findExtension(
    extension: Pick<RentalExtension, 'reference' | 'supplierReference' | 'extensionReference' | 'hours'>,
    signal: AbortSignal,
  ): Promise<{ outcome: 'extended'; costMicros: bigint } | UnknownReference>
  /** Idempotent; repeated with growing delays until it resolves. `unsold`: nobody was ever shown the number. */
  endRental(number: HeldNumber & { unsold?: boolean }, signal: AbortSignal): Promise<void>
}

/** Whether messages can reach us now, and since when that is so. */
export type LinkState = { up: boolean; since: Date }

export type Supplier = {
  /** The row's id in `suppliers`. */
  readonly id: number
  /** Its unique name, as in the URL of its pushes. */
  readonly code: string
  /** Connects and begins to receive messages. Resolves when started, not when connected. */
  start(): Promise<void>
  stop(): Promise<void>
  listOffers(signal: AbortSignal): Promise<Offer[]>
  /** Idempotent on `order.reference`. */
  buy(order: PurchaseOrder, signal: AbortSignal): Promise<BoughtNumber | RefusedPurchase>
  /** What became of a purchase whose answer never arrived. After `none`, a later `buy` with that reference is refused. */
  find(reference: string, signal: AbortSignal): Promise<BoughtNumber | UnknownReference>
  /** The buyer wants one more SMS on the same number. `false`: the supplier cannot. */
  askAgain(number: HeldNumber, signal: AbortSignal): Promise<boolean>
  /** Idempotent; repeated with growing delays until it resolves. */
  end(number: HeldNumber, ending: Ending, signal: AbortSignal): Promise<void>
  /** Whether a number that was sold can be sold once more to whoever had it (`PurchaseOrder.repeatOf`). */
  readonly repeats?: boolean
  /** Absent: it has no standing connection that could be lost. While it is down, nothing of the supplier is sold. */
  link?(): LinkState
  /** Absent: it rents nothing out. */
  readonly rent?: RentSupplier
}

/** A message as a supplier hands it over. `messageId` is the supplier's own id when it has one: repeats are dropped by it. */
export type IncomingSms = {
  supplierId: number
  messageId: string | null
  phone: string
  sender: string
  text: string
  /** Our reference of the order it is for, where the supplier says so: it must be this supplier's, of this number. */
  reference?: string
  /** Our answer to this very message may have been lost: the same words stored within this time are the same message. */
  resentWithin?: { from: Date; to: Date }
}

/** What is known of the senders of services: whose messages can be told apart. */
export type ServiceSenders = {
  /** What the service counts as for sharing a number; without a family, itself. */
  familyOf(serviceCode: string): string
  /** Whether its messages name it for certain. */
  sendersKnown(serviceCode: string): boolean
}

/** What the house gives a supplier to work with. */
export type SupplierContext = {
  db: Pool
  clock: Clock
  random: Random
  log: Log
  senders: ServiceSenders
  /** Stores the message and settles the activation. Resolves after the commit: only then acknowledge to the peer. */
  receiveSms(sms: IncomingSms): Promise<void>
  /** The supplier found that the number cannot receive the code (refused, blocked): the buyer gets the money back. */
  reportUnusable(input: { supplierId: number; reference: string }): Promise<void>
  /** The link went up or down: the house asks `link` and hides or shows the offers. */
  linkChanged(input: { supplierId: number }): void
}

export type SupplierRow = { id: number; code: string; kind: string; settings: Record<string, unknown> }
