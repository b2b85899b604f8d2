/**
 * The interface of suppliers. No supplier is called inside a transaction; the AbortSignal carries the caller's
 * time-out. A call that throws or is aborted has an *unknown* outcome, which the sweeper settles with `find`.
 */
import type { Currency } from '#contract/money.ts'
import { MINUTE, SECOND } from '#contract/time.ts'
import type { NamedValues } from '#server/house/db/named-values.ts'

/**
 * The time for which an ended activation's number is not sold to other accounts, because a late code must not reach a
 * stranger. The SQL function `number_closed` (migrations) uses an equal time.
 */
export const NUMBER_HELD_MS = 20 * MINUTE

/** The time-out of a call to a supplier; a purchase without an answer is looked up afterwards. */
export const SUPPLIER_TIMEOUT_MS = 8 * SECOND

/** `costMicros` is our cost per activation, in `currency`. */
export type Offer = {
  serviceCode: string
  countryId: number
  operator: string
  costMicros: bigint
  currency: Currency
  stock: number
}

export type PurchaseOrder = {
  /** Our reference of the order. A supplier must never sell a second number for one reference. */
  reference: string
  /** The buyer's id, which never leaves our system. Some numbers are not sold to some buyers (docs/api/smpp.md). */
  buyerId: number
  /** The prefixes of numbers that we would give back, so the supplier should sell other numbers. */
  excludedPrefixes?: readonly string[]
  serviceCode: string
  countryId: number
  operator: string | null
  /** The highest cost. The supplier must refuse a higher one, because fail-over never sells at a loss. */
  maxCostMicros: bigint
  currency: Currency
  expiresAt: Date
  /**
   * The number that this buyer had before for this service, digits only. The supplier must sell this number or none.
   */
  repeatOf?: string
}

/** An order of which the operator is known, and the reference is not: the statement makes it. */
export type StockOrder = Pick<
  PurchaseOrder,
  'buyerId' | 'serviceCode' | 'countryId' | 'excludedPrefixes' | 'maxCostMicros' | 'currency'
> & { operator: string }

/**
 * The SQL by which a supplier of our own numbers sells one in the statement that holds the buyer's money, so that one
 * commit does both.
 */
export type StockSale = {
  /**
   * SQL of CTEs. The last one, `found`, has at most one row with phone, country_id, operator and position. The number's
   * row is locked until the commit. The CTE `numbered` has the order's id, or no row if no number is to be looked for.
   */
  find: string
  /** SQL that is true if the number of `found` may be sold to the buyer; evaluated under the number's lock. */
  isForBuyer: string
  /** SQL of CTEs that change rows. The first one, `used` (phone, operator), has no row if somebody was faster. */
  lease: { used: string; leased: string }
  /** SQL for the position of the first number that is still to be sold. */
  position: string
  values: NamedValues & { family: string; sendersKnown: boolean; costMicros: bigint }
  /** Remembers the position that the statement returned, where the next look begins. */
  notePosition(position: bigint): void
}

/** The maximum length of a prefix in `excludedPrefixes`; a longer value is a whole number that the buyer had before. */
const LONGEST_PREFIX = 10

export function isPrefix(excluded: string): boolean {
  return excluded.length <= LONGEST_PREFIX
}

/** `phone` has digits only, with the country code and without `+`. */
export type BoughtNumber = {
  outcome: 'bought'
  supplierReference: string
  phone: string
  operator: string
  costMicros: bigint
  /** The end of the order by the supplier's own clock; our order ends no later. */
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
 * The way in which an order ended: `finished` after a code. After `cancelled` or `expired`, the supplier may offer its
 * number again. After `used`, it may not for this service, which already knows the number. `unsold` means that no buyer
 * was shown the number.
 */
export type Ending = 'finished' | 'cancelled' | 'expired' | 'used' | 'unsold'

export type RentOffer = Offer & { hours: number }

export type RentOrder = PurchaseOrder & { hours: number }

export type RentalExtension = {
  reference: string
  supplierReference: string
  /** Our reference of the extension. A supplier must never charge twice for one reference. */
  extensionReference: string
  hours: number
  maxCostMicros: bigint
  currency: Currency
  expiresAt: Date
}

/** A rented number belongs to its renter alone, whatever the service. References of rentals begin with `r`. */
export type RentSupplier = {
  listRentOffers(signal: AbortSignal): Promise<RentOffer[]>
  /** Rents a number; idempotent on `order.reference`. `serviceCode` `full` means messages of every service. */
  rent(order: RentOrder, signal: AbortSignal): Promise<BoughtNumber | RefusedPurchase>
  findRental(reference: string, signal: AbortSignal): Promise<BoughtNumber | UnknownReference>
  /** Extends a rental; idempotent on `extensionReference`. `refused` is final for the reference. */
  extendRental(
    extension: RentalExtension,
    signal: AbortSignal,
  ): Promise<{ outcome: 'extended'; costMicros: bigint } | { outcome: 'refused' }>
  /**
   * Resolves the unknown outcome of an extension. After `none`, a later `extendRental` with its reference is refused.
   */
  findExtension(
    extension: Pick<RentalExtension, 'reference' | 'supplierReference' | 'extensionReference' | 'hours'>,
    signal: AbortSignal,
  ): Promise<{ outcome: 'extended'; costMicros: bigint } | UnknownReference>
  /** Ends a rental; idempotent, and repeated with growing delays. `unsold` means that no buyer was shown the number. */
  endRental(number: HeldNumber & { unsold?: boolean }, signal: AbortSignal): Promise<void>
}

/**
 * `why` is the last failure of a link that is down. An `unproven` link has had no answer since the start. Its supplier
 * may sell, and it starts and ends no alarm.
 */
export type LinkState = { up: boolean; since: Date; why?: string; unproven?: true }

export type SupplierBalance = { micros: bigint; currency: Currency; at: Date }

export type SupplierFinding = { what: string; works: boolean; says: string }

/**
 * Every node sells a supplier's numbers. A single node `receives`: it holds the supplier's link, polls its numbers, and
 * saves its offers. The default is to receive.
 */
export type SupplierRole = { receives?: boolean }

export type Supplier = {
  readonly id: number
  readonly code: string
  /** True for the sandbox supplier, which sells only to sandbox keys and appears in no list. */
  readonly sandbox?: true
  /** True if the offers are part of the program, without duplicates, and change only by settings and releases. */
  readonly hasFixedLists?: true
  /** Starts the supplier. Resolves when it has started, not when it is connected. */
  start(role?: SupplierRole): Promise<void>
  stop(): Promise<void>
  /** Lists the offers. Returning the same array again means that nothing has changed. */
  listOffers(signal: AbortSignal): Promise<Offer[]>
  /** Buys a number; idempotent on `order.reference`. */
  buy(order: PurchaseOrder, signal: AbortSignal): Promise<BoughtNumber | RefusedPurchase>
  /**
   * Returns the SQL that sells our own number together with the hold, or null if `buy` must be asked. If the SQL finds no
   * number, `buy` is asked, which looks more patiently.
   */
  sellInStatement?(order: StockOrder): StockSale | null
  /** Resolves the unknown outcome of a purchase. After `none`, a later `buy` with the same reference is refused. */
  find(reference: string, signal: AbortSignal): Promise<BoughtNumber | UnknownReference>
  askAgain(number: HeldNumber, signal: AbortSignal): Promise<boolean>
  /** Ends an order; idempotent, and repeated with growing delays until it resolves. */
  end(number: HeldNumber, ending: Ending, signal: AbortSignal): Promise<void>
  /** True if a sold number can be bought again by its earlier buyer (`PurchaseOrder.repeatOf`). */
  readonly repeats?: boolean
  /** True if the supplier would sell numbers with excluded prefixes, so purchases with such prefixes skip it. */
  readonly ignoresExclusions?: boolean
  /** The currency of all offers, as set in the settings. If absent, each offer has its own currency. */
  readonly currency?: Currency
  /** Returns the state of a standing connection; absent without one. Nothing is sold while the link is down. */
  link?(): LinkState
  /** Reads our balance at the supplier; null means not read yet. Absent if nothing is paid in advance. */
  balance?(signal: AbortSignal): Promise<SupplierBalance | null>
  /** Tests the connection without buying anything. The supplier need not be started. */
  test?(): Promise<SupplierFinding[]>
  readonly rent?: RentSupplier
  readonly intake?: Intake
}

/** A request as received. `url` is the public URL given to the sender, with the query. */
export type IntakeRequest = {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: Buffer
  receivedAt: Date
}
/**
 * The verdict on a request that should come from the supplier.
 * - `once`: a second request with an equal value is a replay; null means that replays cannot be detected.
 * - `body`: stored in place of the received body, which holds a secret.
 * - `answer`: the reply to a request that is not processed, or a refusal in the sender's own format.
 */
export type Verdict =
  | { genuine: true; once: string | null; body?: Buffer }
  | { genuine: true; answer: IntakeAnswer }
  | { genuine: false; reason: string; body?: Buffer; answer?: IntakeAnswer }
/**
 * A part of a message, because some senders deliver a long message in parts. `isFull` means the maximum length of a
 * part, so that further parts may follow. `numbered` is set if the sender numbers the parts.
 */
export type Piece = { isFull: boolean; numbered: { reference: string; part: number; parts: number } | null }
/** `ignored` means a request that concerns no message; `unread` means that no message could be parsed. */
export type IntakeReading =
  | { outcome: 'messages'; messages: readonly (Omit<IncomingSms, 'supplierId'> & { piece?: Piece })[] }
  | { outcome: 'ignored' | 'unread'; reason: string }
export type IntakeAnswer = { type: string; text: string; status?: number }

/** Receives messages that a supplier posts to us. `key` is the secret part of the URL. */
export type Intake = {
  readonly key: string
  readonly answer: IntakeAnswer
  /** Verifies the sender of a request by the received bytes, without parsing them. */
  verify(request: IntakeRequest): Verdict
  /** Returns the reply to a genuine request that needs no processing, or null if the request must be processed. */
  intercept?(request: IntakeRequest): Promise<IntakeAnswer | null>
  /** Parses a request. `requestId` is our id of it, equal when it is parsed again after a crash. */
  read(request: IntakeRequest & { requestId: bigint }): Promise<IntakeReading>
}

/** The kind of a message without text, shown by its header or its octets. A message without text has no code. */
export type NotText = 'indication' | 'silent' | 'sim-data' | 'port-addressed' | 'binary' | 'wap-push'

/** `messageId` is the supplier's own id of the message, if any. Repeated messages are dropped by this id. */
export type IncomingSms = {
  supplierId: number
  messageId: string | null
  /** True if the sender gives repeated messages new ids. An equal text within ten seconds is then dropped too. */
  byContent?: boolean
  phone: string
  sender: string
  text: string
  /**
   * The kind of a message without text; absent for a text message. `text` then shows octets in hexadecimal to staff.
   */
  notText?: NotText
  /** The reference of our order, if the supplier sends it. The order must belong to this supplier and number. */
  reference?: string
  /** The code as parsed by the supplier, never blank. A message with this field has a code and is charged. */
  toldCode?: string
  /** Set if our reply may have been lost. An equal text stored within this time is then the same message. */
  resentWithin?: { from: Date; to: Date }
  /** The time at which a delayed message was sent. The message belongs to the holder of the number at that time. */
  cameAt?: Date
}

/**
 * `junk` means that the message belongs to nobody, although it names an activation that still waits for its first code.
 */
export type Received = 'taken' | 'junk'

export type SupplierRow = {
  id: number
  code: string
  kind: string
  settings: Record<string, unknown>
  sandbox?: boolean
}
