/**
 * No supplier is called inside a transaction; the AbortSignal carries the caller's time-out.
 * A call that throws or is aborted has an *unknown* outcome, which the sweeper settles with `find`.
 */
import type { Currency } from '#contract/money.ts'
import { MINUTE, SECOND } from '#contract/time.ts'

/**
 * After an order ends, its number stays closed to other accounts for this long: a late code must not reach a stranger.
 * The same as in the function `number_closed` of the migrations.
 */
export const NUMBER_HELD_MS = 20 * MINUTE

/** The outcome of a purchase without an answer is looked up afterwards. */
export const SUPPLIER_TIMEOUT_MS = 8 * SECOND

/** `costMicros` is what we pay per activation, in `currency`. */
export type Offer = {
  serviceCode: string
  countryId: number
  operator: string
  costMicros: bigint
  currency: Currency
  stock: number
}

export type PurchaseOrder = {
  /** The same reference must never buy a second number. */
  reference: string
  /** Some numbers are closed to a buyer (docs/api/smpp.md). The id never leaves our system. */
  buyerId: number
  /** Numbers with one of these prefixes would be given back. */
  excludedPrefixes?: readonly string[]
  serviceCode: string
  countryId: number
  operator: string | null
  /** The supplier must refuse above this: fail-over never sells at a loss. */
  maxCostMicros: bigint
  currency: Currency
  expiresAt: Date
  /** The number this buyer had before for this service, digits only: that one or none. */
  repeatOf?: string
}

/** A longer one is a whole number, which its buyer had before (`replace.ts`). */
const LONGEST_PREFIX = 10

export function isPrefix(excluded: string): boolean {
  return excluded.length <= LONGEST_PREFIX
}

/** `phone` is digits only, with the country code, without `+`. */
export type BoughtNumber = {
  outcome: 'bought'
  supplierReference: string
  phone: string
  operator: string
  costMicros: bigint
  /** The supplier's own end, where it tells one: the order ends no later. */
  expiresAt?: Date
}
export type RefusedPurchase = { outcome: 'refused'; reason: 'no-numbers' | 'no-funds' | 'rejected'; detail?: string }
export type UnknownReference = { outcome: 'none' }

export type HeldNumber = {
  reference: string
  supplierReference: string
  phone: string
  serviceCode: string
}

/**
 * `finished` follows a code; after `cancelled` or `expired` the number may be offered again.
 * `used`: found registered already, so never again for that service. `unsold`: no buyer was shown the number.
 */
export type Ending = 'finished' | 'cancelled' | 'expired' | 'used' | 'unsold'

export type RentOffer = Offer & { hours: number }

export type RentOrder = PurchaseOrder & { hours: number }

export type RentalExtension = {
  reference: string
  supplierReference: string
  /** The same reference must never be charged twice. */
  extensionReference: string
  hours: number
  maxCostMicros: bigint
  currency: Currency
  expiresAt: Date
}

/** A rented number is its renter's alone, whatever the service. References begin with `r`. */
export type RentSupplier = {
  listRentOffers(signal: AbortSignal): Promise<RentOffer[]>
  /** Idempotent on `order.reference`. `serviceCode` `full`: messages of every service. */
  rent(order: RentOrder, signal: AbortSignal): Promise<BoughtNumber | RefusedPurchase>
  findRental(reference: string, signal: AbortSignal): Promise<BoughtNumber | UnknownReference>
  /** Idempotent on `extensionReference`. `refused` is final for the reference. */
  extendRental(
    extension: RentalExtension,
    signal: AbortSignal,
  ): Promise<{ outcome: 'extended'; costMicros: bigint } | { outcome: 'refused' }>
  /** After `none`, a later `extendRental` with that reference is refused. */
  findExtension(
    extension: Pick<RentalExtension, 'reference' | 'supplierReference' | 'extensionReference' | 'hours'>,
    signal: AbortSignal,
  ): Promise<{ outcome: 'extended'; costMicros: bigint } | UnknownReference>
  /** Idempotent; repeated with growing delays until it resolves. `unsold`: no buyer was shown the number. */
  endRental(number: HeldNumber & { unsold?: boolean }, signal: AbortSignal): Promise<void>
}

/**
 * `why` it is down, for staff: the last failure. `unproven`: it has not answered since the start, so it may sell, and neither
 * begins nor ends an alarm.
 */
export type LinkState = { up: boolean; since: Date; why?: string; unproven?: true }

/** What one of our accounts holds at the supplier, as it was last read. */
export type SupplierBalance = { micros: bigint; currency: Currency; at: Date }

/** One line of `supplier:test`. */
export type SupplierFinding = { what: string; works: boolean; says: string }

export type Supplier = {
  readonly id: number
  readonly code: string
  /** It sells to keys with play money alone, and is in no list. */
  readonly sandbox?: true
  /** Its lists stand in the program: known at once, without doubles, and changed by settings and releases alone. */
  readonly hasFixedLists?: true
  /** Resolves when started, not when connected. */
  start(): Promise<void>
  stop(): Promise<void>
  /** The very same list again says that nothing has changed. */
  listOffers(signal: AbortSignal): Promise<Offer[]>
  /** Idempotent on `order.reference`. */
  buy(order: PurchaseOrder, signal: AbortSignal): Promise<BoughtNumber | RefusedPurchase>
  /** Resolves an unknown outcome. After `none`, a later `buy` with that reference is refused. */
  find(reference: string, signal: AbortSignal): Promise<BoughtNumber | UnknownReference>
  askAgain(number: HeldNumber, signal: AbortSignal): Promise<boolean>
  /** Idempotent; repeated with growing delays until it resolves. */
  end(number: HeldNumber, ending: Ending, signal: AbortSignal): Promise<void>
  /** Whether a sold number can be bought again by whoever had it (`PurchaseOrder.repeatOf`). */
  readonly repeats?: boolean
  /** It would sell a number whose prefix the buyer excluded: it is not asked for such a purchase. */
  readonly ignoresExclusions?: boolean
  /** What its offers are priced in. Absent: each says its own, and the settings do not change it. */
  readonly currency?: Currency
  /** Absent: there is no standing connection. While the link is down, none of its offers is sold. */
  link?(): LinkState
  /** Absent: nothing is paid in advance. null: not read yet. */
  balance?(signal: AbortSignal): Promise<SupplierBalance | null>
  /** Asks the supplier, and buys nothing. It need not be started. */
  test?(): Promise<SupplierFinding[]>
  readonly rent?: RentSupplier
  /** Absent: nothing comes in by HTTP. */
  readonly intake?: Intake
}

/** A request as it came. `url` is the public address that its sender was given, with the query. */
export type IntakeRequest = {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: Buffer
  receivedAt: Date
}
/**
 * `once`: with a second of the same value the request is a replay. Null: nothing in it would tell. `body` is stored
 * instead of what came, which holds a secret. `answer`: of what is not taken, or of a refusal in the sender's own words.
 */
export type Verdict =
  | { genuine: true; once: string | null; body?: Buffer }
  | { genuine: true; answer: IntakeAnswer }
  | { genuine: false; reason: string; body?: Buffer; answer?: IntakeAnswer }
/**
 * Its sender may hand over the parts of one message by themselves. `isFull`: the text is as long as a part can be, so more may
 * follow. `numbered`: its sender says which part it is.
 */
export type Piece = { isFull: boolean; numbered: { reference: string; part: number; parts: number } | null }
/** `ignored`: it is about no message. `unread`: none could be made of it. */
export type IntakeReading =
  | { outcome: 'messages'; messages: readonly (Omit<IncomingSms, 'supplierId'> & { piece?: Piece })[] }
  | { outcome: 'ignored' | 'unread'; reason: string }
export type IntakeAnswer = { type: string; text: string; status?: number }

/** Messages that their sender posts to us. `key` is the part of the address that nobody guesses. */
export type Intake = {
  readonly key: string
  readonly answer: IntakeAnswer
  /** Judges the bytes, without reading them. */
  verify(request: IntakeRequest): Verdict
  /** An answer instead of taking a genuine request; null: it is taken. */
  intercept?(request: IntakeRequest): Promise<IntakeAnswer | null>
  /** `requestId`: ours, the same when it is read again after a crash. */
  read(request: IntakeRequest & { requestId: bigint }): Promise<IntakeReading>
}

/** Told by the header of a message, or by octets that are no text: such a message has no code. */
export type NotText = 'indication' | 'silent' | 'sim-data' | 'port-addressed' | 'binary' | 'wap-push'

/** `messageId` is the supplier's own id, if any: repeats are dropped by it. */
export type IncomingSms = {
  supplierId: number
  messageId: string | null
  /** Its sender gives the same message new ids: the same words within ten seconds are dropped as well. */
  byContent?: boolean
  phone: string
  sender: string
  text: string
  /** Absent: text. Else `text` is for staff, in hexadecimal where it was octets. */
  notText?: NotText
  /** Our order's reference, if the supplier names it; the order must be this supplier's, of this number. */
  reference?: string
  /** The code that the supplier itself read in it, never blank: it is one, and charged. */
  toldCode?: string
  /** Our answer may have been lost: the same text stored within this time is the same message. */
  resentWithin?: { from: Date; to: Date }
  /** It waited on its way since then: whoever had the number at that time is asked for, not who has it now. */
  cameAt?: Date
}

/** `junk`: it is nobody's, whereas the order of its reference waits and has not paid. */
export type Received = 'taken' | 'junk'

export type SupplierRow = {
  id: number
  code: string
  kind: string
  settings: Record<string, unknown>
  sandbox?: boolean
}
