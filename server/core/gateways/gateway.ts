/**
 * The interface of payment gateways. No gateway is called inside a transaction; the AbortSignal carries the caller's
 * time-out. A call that throws has an *unknown* outcome, which `fetch` tells later. Money is credited only by the
 * answer of `fetch`, never by the contents of a webhook.
 */

import type { Locale } from '#contract/constants.ts'
import type { AlarmKind } from '#contract/mails.ts'
import type { Currency } from '#contract/money.ts'
import type { PaymentForm } from '#contract/payment.ts'
import type { Db } from '#server/house/db/pool.ts'

export type AmountLimits = { minMicros: bigint; maxMicros: bigint }

export type PaymentSystem = {
  /** The key of the payment system, unique over all gateways. */
  key: string
  form: PaymentForm
  mark: string
  names: Record<Locale, string>
  /** The limits of an amount by currency. A currency without limits is not offered. */
  limits: Partial<Record<Currency, AmountLimits>>
  /** The fee in hundredths of a per cent of the arriving amount. */
  feePoints: number
  /** `house` means that we bear the fee, so it is not deducted from the arriving amount. */
  feeBorneBy: 'payer' | 'house'
  bonusPoints: number
  minutes: number
  /** The time, in ms, in which a payment is expected; a payment that arrives later is still credited. */
  lifetimeMs: number
  /** True if an account may have only one open payment by this system, because all its money arrives at one address. */
  hasOneOpen?: true
  /** True for card payments. Their number per network is limited, because thieves test stolen cards. */
  isCard: boolean
  /** The limits for a new account within its first days. A currency without an amount has no such limit. */
  firstDays: { days: number; mostMicros: Partial<Record<Currency, bigint>> }
}

export type PaymentOrder = {
  /** Our unique id of the payment. A gateway must never begin a second payment with this id. */
  transactionId: string
  system: string
  amountMicros: bigint
  currency: Currency
  expiresAt: Date
  locale: Locale
  returnUrl: string
  userId: number
  email: string | null
}

export type Guidance =
  | { form: 'redirect'; url: string }
  | TransferGuidance
  | { form: 'instructions'; reference: string; text: string; rows: { label: string; value: string }[] }
  | { form: 'instant' }

/**
 * `amount` is a decimal of `asset`, `network` its name in words, `uri` the content of the QR code. `url` is a page for
 * the same payment.
 */
export type TransferGuidance = {
  form: 'transfer'
  address: string
  network: string
  asset: string
  amount: string
  uri: string
  url?: string
}

export type Begun = { outcome: 'begun'; providerId: string; guidance: Guidance }
export type RefusedPayment = { outcome: 'refused'; reason: string }

/**
 * `providerId` is the gateway's own id of the deposit, which is credited once. The amount is in the payment's currency.
 */
export type ArrivedDeposit = {
  providerId: string
  amountMicros: bigint
  /** True if the amount is the total that has arrived for the payment; only the part not yet credited is credited. */
  isTotal?: true
  /** An identifier of the payer at the gateway, such as a card's fingerprint or the sending address. */
  payer?: string
}

export type SeenReversal = {
  kind: 'refund' | 'dispute'
  providerId: string
  amountMicros: bigint
  state: 'done' | 'failed' | 'open' | 'won' | 'lost'
  /**
   * True if the gateway reports no amount of a reversal, so that `amountMicros` is the maximum. If staff recorded a
   * partial refund, that part went back; otherwise everything not yet paid back did.
   */
  isTotal?: true
  /** The reference of our `RefundOrder`; absent for a refund that we did not request. */
  reference?: string
}

/** The current state of a payment. `progress` is the state of money that is expected and has not arrived yet. */
export type PaymentFacts = {
  progress: 'pending' | 'confirming' | 'expired' | 'failed'
  deposits: readonly ArrivedDeposit[]
  reversals: readonly SeenReversal[]
  confirmations?: { seen: number; needed: number }
}

export type KnownPayment = {
  transactionId: string
  userId: number
  providerId: string | null
  system: string
  amountMicros: bigint
  currency: Currency
  createdAt: Date
  expiresAt: Date
}

export type RefundOrder = {
  /** Our unique reference of the refund. A gateway must never pay back twice for one reference. */
  reference: string
  payment: KnownPayment
  amountMicros: bigint
}
export type RefundOutcome =
  | { outcome: 'done'; providerId: string }
  | { outcome: 'asked'; providerId: string }
  | { outcome: 'refused'; reason: string }

/** A webhook as received; nothing in it is trusted yet. */
export type RawEvent = { headers: Record<string, string>; body: Buffer; address: string; receivedAt: Date }
/**
 * The content of a webhook. At most one of three ids names the payment; `depositId` names a deposit of the payment. A
 * webhook without any id is not about our payments.
 */
export type ReadEvent = { eventId: string; transactionId?: string; providerId?: string; depositId?: string }

/**
 * The functions by which a gateway credits money that it finds by itself. `choose` returns the waiting payment that the
 * money belongs to, and `begin` makes a new payment. Both functions lock the account in the transaction.
 */
export type Settling = {
  choose(tx: Db, arrival: { gatewayId: number; userId: number; system: string; at: Date }): Promise<string | null>
  begin(tx: Db, arrival: { gatewayId: number; userId: number; system: string; amountMicros: bigint }): Promise<string>
  settle(transactionId: string): Promise<void>
}

export type GatewayFault = { kind: AlarmKind; about: string }

export type Gateway = {
  readonly id: number
  readonly code: string
  readonly systems: readonly PaymentSystem[]
  /** The shortest pause between two polls of one payment without a webhook; absent means no limit. */
  readonly leastPauseMs?: number
  /** Begins a payment; idempotent on `order.transactionId`. */
  begin(order: PaymentOrder, signal: AbortSignal): Promise<Begun | RefusedPayment>
  /** Closes a payment at once, or throws if the gateway cannot. Absent if payments stay open until they expire. */
  close?(payment: KnownPayment, signal: AbortSignal): Promise<void>
  fetch(payment: KnownPayment, signal: AbortSignal): Promise<PaymentFacts | null>
  /** Parses a webhook without outside calls. Returns null if it is not genuine, and may throw if it is malformed. */
  readEvent?(event: RawEvent): ReadEvent | null
  /** Pays money back; idempotent on `reference`, even days later. Without this function, staff pay back by hand. */
  refund?(order: RefundOrder, signal: AbortSignal): Promise<RefundOutcome>
  /** Returns the result of the refund with this reference, or null if it was never made. Present if `refund` is. */
  findRefund?(order: RefundOrder, signal: AbortSignal): Promise<RefundOutcome | null>
  /** Looks for money that no webhook reports. Each call does a bounded amount of work, and calls never overlap. */
  follow?(signal: AbortSignal, payments: Settling): Promise<void>
  listFaults?(): Promise<readonly GatewayFault[]>
}

export type GatewayRow = { id: number; code: string; kind: string; settings: Record<string, unknown> }
