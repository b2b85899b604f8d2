/**
 * No gateway is called inside a transaction; the AbortSignal carries the caller's time-out.
 * A call that throws has an *unknown* outcome: `fetch` tells later what became of it.
 * Nothing is credited by what a webhook says, only by what `fetch` answers.
 */

import type { Locale } from '#contract/constants.ts'
import type { AlarmKind } from '#contract/mails.ts'
import type { Currency } from '#contract/money.ts'
import type { PaymentForm } from '#contract/payment.ts'
import type { Db } from '#server/house/db/pool.ts'

export type AmountLimits = { minMicros: bigint; maxMicros: bigint }

/** One way of paying, a row of the top-up page. */
export type PaymentSystem = {
  /** Unique over all gateways. */
  key: string
  form: PaymentForm
  /** Which mark the page draws. */
  mark: string
  names: Record<Locale, string>
  /** A currency without limits is not offered. */
  limits: Partial<Record<Currency, AmountLimits>>
  /** Hundredths of a per cent of what arrives. */
  feePoints: number
  /** `house`: the fee is not taken from what arrives. */
  feeBorneBy: 'payer' | 'house'
  bonusPoints: number
  /** How long it usually takes to arrive. */
  minutes: number
  /** After this time nobody is expected to pay; what comes later is credited all the same. */
  lifetimeMs: number
  /** An account has one open payment by it at a time, because all that arrives goes to one address. */
  hasOneOpen?: true
  /** Cards are tested by thieves: sessions of a network are limited. */
  isCard: boolean
  /** What an account may begin by this system in its first days; a currency without an amount has no such limit. */
  firstDays: { days: number; mostMicros: Partial<Record<Currency, bigint>> }
}

export type PaymentOrder = {
  /** Ours, unique. The same one must never begin a second payment. */
  transactionId: string
  system: string
  amountMicros: bigint
  currency: Currency
  expiresAt: Date
  locale: Locale
  /** Where the payer comes back to. */
  returnUrl: string
  userId: number
  /** For a receipt; null when the payer has none. */
  email: string | null
}

/** How to pay. `providerId` is the gateway's own id of the payment. */
export type Guidance =
  | { form: 'redirect'; url: string }
  | TransferGuidance
  | { form: 'instructions'; reference: string; text: string; rows: { label: string; value: string }[] }
  | { form: 'instant' }

/**
 * What to send where. `amount` is a decimal of `asset`, `network` its name in words, `uri` what the QR code says;
 * `url` is a page where the same can be paid.
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

/** `providerId` is the gateway's own id of what arrived; it is credited once. In the currency of the payment. */
export type ArrivedDeposit = {
  providerId: string
  amountMicros: bigint
  /** The amount is all that has arrived for the payment so far; what is not credited yet of it is. */
  isTotal?: true
  /** What names the payer at the gateway, such as a card's fingerprint or the sending address. */
  payer?: string
}

export type SeenReversal = {
  kind: 'refund' | 'dispute'
  providerId: string
  amountMicros: bigint
  state: 'done' | 'failed' | 'open' | 'won' | 'lost'
  /**
   * The gateway tells no amount: this is all that it can be of the payment. What staff have noted as a part of it is all that
   * went back, else whatever has not gone back yet.
   */
  isTotal?: true
  /** Of a refund that we asked for: that of its `RefundOrder`. Without one it is another refund. */
  reference?: string
}

/** What is true of a payment now. `progress` is of the part that has not arrived. */
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
  /** The same reference must never pay back twice. */
  reference: string
  payment: KnownPayment
  amountMicros: bigint
}
export type RefundOutcome =
  | { outcome: 'done'; providerId: string }
  /** It is under way: `fetch` tells how it ends. */
  | { outcome: 'asked'; providerId: string }
  | { outcome: 'refused'; reason: string }

/** As it came, before anything of it is believed. */
export type RawEvent = { headers: Record<string, string>; body: Buffer; address: string; receivedAt: Date }
/** At most one of the three names the payment; `depositId` by what has arrived for it. None: genuine, about nothing that we keep. */
export type ReadEvent = { eventId: string; transactionId?: string; providerId?: string; depositId?: string }

/** What a gateway that finds money by itself needs of payments. `choose` and `begin` lock the account in the caller's transaction. */
export type Settling = {
  /** The payment that waits for this, by its transaction id. */
  choose(tx: Db, arrival: { gatewayId: number; userId: number; system: string; at: Date }): Promise<string | null>
  /** A payment that nobody has asked for. Returns its transaction id. */
  begin(tx: Db, arrival: { gatewayId: number; userId: number; system: string; amountMicros: bigint }): Promise<string>
  /** Asks `fetch`, and makes the books say the same. */
  settle(transactionId: string): Promise<void>
}

/** What staff have to know of a gateway: each is an alarm. */
export type GatewayFault = { kind: AlarmKind; about: string }

export type Gateway = {
  readonly id: number
  readonly code: string
  readonly systems: readonly PaymentSystem[]
  /** How often it may be asked about one payment without a webhook; absent: as often as we like. */
  readonly leastPauseMs?: number
  /** Idempotent on `order.transactionId`. */
  begin(order: PaymentOrder, signal: AbortSignal): Promise<Begun | RefusedPayment>
  /** Absent: what is begun can be paid until its end. Ends that at once; throws when it cannot, as when it is being paid. */
  close?(payment: KnownPayment, signal: AbortSignal): Promise<void>
  /** null: the gateway knows no such payment. */
  fetch(payment: KnownPayment, signal: AbortSignal): Promise<PaymentFacts | null>
  /** Absent: the gateway sends no webhooks. null: not genuine. May throw at one that is not as documented. Reads only what it is given. */
  readEvent?(event: RawEvent): ReadEvent | null
  /** Absent: staff pay back by hand. Idempotent on `reference`, also days later. */
  refund?(order: RefundOrder, signal: AbortSignal): Promise<RefundOutcome>
  /** What became of a refund with this reference; null: it was never made. Present where `refund` is. */
  findRefund?(order: RefundOrder, signal: AbortSignal): Promise<RefundOutcome | null>
  /** Looks for money that nobody tells of: one bounded round, called every few seconds, never twice at once. */
  follow?(signal: AbortSignal, payments: Settling): Promise<void>
  /** Those that stand now. Reads only what is stored. */
  listFaults?(): Promise<readonly GatewayFault[]>
}

export type GatewayRow = { id: number; code: string; kind: string; settings: Record<string, unknown> }
