import type { ActivationRecord, MessageRecord } from '#contract/activation.ts'
import type { Locale } from '#contract/constants.ts'
import type { Currency } from '#contract/money.ts'
import type { NotificationRecord } from '#contract/notifications/notification.ts'
import type { PaymentState } from '#contract/payment.ts'
import type { PreorderRecord } from '#contract/preorder.ts'
import type { RentalRecord } from '#contract/rental.ts'

/** `message` caused this event. The page replaces the record that it shows with `record`. */
export type NewCode =
  | { kind: 'activation'; record: ActivationRecord; message: MessageRecord }
  | { kind: 'rental'; record: RentalRecord; message: MessageRecord }

/** `balance` is the amount that the user can spend now, as a decimal string. */
export type BalanceTopup = { balance: string; currency: Currency }

/** `isSocket` marks a notification that came by socket (specification 3). The unread count includes it. */
export type NewUserNotification = NotificationRecord & { isSocket: true; notifications_count: number }

export type NewMessage = {
  id: number
  ticketId: number
  author: 'user' | 'support'
  text: string
  created_at: string
}

/** Only staff receive this event about a changed ticket, and it carries no content of the ticket. */
export type StaffTicketChanged = { ticketId: number }

/** Only staff receive this event. It repeats while a colleague writes an answer to the ticket. */
export type StaffWriting = { ticketId: number; by: { id: number; name: string } }

/** An activation changed without a message. `balance` (decimal) can be spent now; null if no money moved. */
export type ActivationChanged = { record: ActivationRecord; balance: string | null }

export type RentalChanged = { record: RentalRecord; balance: string | null }

/** The activation that a pre-order bought arrives separately, in an ActivationChanged event. */
export type PreorderChanged = { record: PreorderRecord; balance: string | null }

/** A payment changed without a credit, or its money was returned. The page then fetches its payments again. */
export type PaymentChanged = {
  transaction_id: string
  state: PaymentState
  balance: string
  currency: Currency
}

/** Events may be missing, because another node's did not arrive. A page then fetches its data again. */
export type EventsMissed = Record<string, never>

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
  EventsMissed: EventsMissed
}
export type LiveEventName = keyof LiveEvents

export type LiveEvent = { [Name in LiveEventName]: { name: Name; payload: LiveEvents[Name] } }[LiveEventName]

/** Service and country in each language, as one event serves all tabs of a user. */
export type LiveNames = Record<Locale, { service: string; country: string }>

/** A notification's title and text in every language. The event's record uses DEFAULT_LIVE_LOCALE. */
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
  'EventsMissed',
] as const satisfies LiveEventName[]

export function userChannel(userId: number): string {
  return `private-user.${userId}`
}
