import type { ActivationRecord, MessageRecord } from '#contract/activation.ts'
import type { Locale } from '#contract/constants.ts'
import type { Currency } from '#contract/money.ts'
import type { NotificationRecord } from '#contract/notifications/notification.ts'
import type { PaymentState } from '#contract/payment.ts'
import type { PreorderRecord } from '#contract/preorder.ts'
import type { RentalRecord } from '#contract/rental.ts'

/** The record replaces the one shown; the message caused the event. */
export type NewCode =
  | { kind: 'activation'; record: ActivationRecord; message: MessageRecord }
  | { kind: 'rental'; record: RentalRecord; message: MessageRecord }

/** `balance` is what can be spent now, a decimal string. */
export type BalanceTopup = { balance: string; currency: Currency }

/** `isSocket` marks one that was not fetched (specification 3). `notifications_count` includes it. */
export type NewUserNotification = NotificationRecord & { isSocket: true; notifications_count: number }

export type NewMessage = {
  id: number
  ticketId: number
  author: 'user' | 'support'
  text: string
  created_at: string
}

/** For staff alone: a ticket changed. It says nothing of what is in it. */
export type StaffTicketChanged = { ticketId: number }

/** For staff alone: a colleague has the composer of this ticket in use. It is told again while that lasts. */
export type StaffWriting = { ticketId: number; by: { id: number; name: string } }

/** A change without a message. `balance` (decimal string) is what can be spent now; null: no money moved. */
export type ActivationChanged = { record: ActivationRecord; balance: string | null }

export type RentalChanged = { record: RentalRecord; balance: string | null }

/** What the pre-order bought comes by ActivationChanged. */
export type PreorderChanged = { record: PreorderRecord; balance: string | null }

/** A payment moved on without money, or money went back. The page asks anew for what it shows of payments. */
export type PaymentChanged = {
  transaction_id: string
  state: PaymentState
  balance: string
  currency: Currency
}

export type LiveEvents = {
  BalanceTopup: BalanceTopup
  NewUserNotification: NewUserNotification
  NewCode: NewCode
  NewMessage: NewMessage
  StaffTicketChanged: StaffTicketChanged
  StaffWriting: StaffWriting
  ActivationChanged: ActivationChanged
  RentalChanged: RentalChanged
  PreorderChanged: PreorderChanged
  PaymentChanged: PaymentChanged
}
export type LiveEventName = keyof LiveEvents

export type LiveEvent = { [Name in LiveEventName]: { name: Name; payload: LiveEvents[Name] } }[LiveEventName]

/** Names in every language let one event serve all tabs of a user. */
export type LiveNames = Record<Locale, { service: string; country: string }>

/** The same for a notification, whose title and text are those of DEFAULT_LIVE_LOCALE. */
export type LiveWords = Record<Locale, { title: string; text: string }>

export type SentEvents = {
  [Name in LiveEventName]: LiveEvents[Name] extends { record: unknown }
    ? LiveEvents[Name] & { names: LiveNames }
    : LiveEvents[Name] extends { isSocket: true }
      ? LiveEvents[Name] & { words: LiveWords }
      : LiveEvents[Name]
}

export const LIVE_EVENT_NAMES = [
  'BalanceTopup',
  'NewUserNotification',
  'NewCode',
  'NewMessage',
  'StaffTicketChanged',
  'StaffWriting',
  'ActivationChanged',
  'RentalChanged',
  'PreorderChanged',
  'PaymentChanged',
] as const satisfies LiveEventName[]

export function userChannel(userId: number): string {
  return `private-user.${userId}`
}
