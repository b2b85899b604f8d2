import type { ActivationRecord, MessageRecord } from '#contract/activation.ts'
import type { Locale } from '#contract/constants.ts'
import type { PreorderRecord } from '#contract/preorder.ts'
import type { RentalRecord } from '#contract/rental.ts'

/** A code or a text arrived. The record replaces the one shown; the message is the one that caused the event. */
export type NewCode =
  | { kind: 'activation'; record: ActivationRecord; message: MessageRecord }
  | { kind: 'rental'; record: RentalRecord; message: MessageRecord }

/** Money was credited, or taken, by staff: `balance` is what can be spent now, a decimal string. */
export type BalanceTopup = { balance: string; currency: 'rub' | 'usd' }

/** One notification, as the list shows it. `isSocket` tells it from one that was fetched (product.md section 3). */
export type NewUserNotification = {
  id: number
  category: string
  title: string
  text: string
  created_at: string
  isSocket: true
}

/** One message of a support ticket. `ticketId` says which. */
export type NewMessage = {
  id: number
  ticketId: number
  author: 'user' | 'support'
  text: string
  created_at: string
}

/**
 * An activation changed without a message: bought or ended in another tab or by a program, cancelled, expired, used.
 * `balance` is what can be spent afterwards, a decimal string; null when the change moved no money.
 */
export type ActivationChanged = { record: ActivationRecord; balance: string | null }

/** The same of a rental: rented, extended, ended; `expiring` turning true says that the end is near. */
export type RentalChanged = { record: RentalRecord; balance: string | null }

/** The same of a pre-order. What it bought comes by ActivationChanged. */
export type PreorderChanged = { record: PreorderRecord; balance: string | null }

/** Every event of a user's private channel by its name on the wire (product.md section 4), with its payload. */
export type LiveEvents = {
  BalanceTopup: BalanceTopup
  NewUserNotification: NewUserNotification
  NewCode: NewCode
  NewMessage: NewMessage
  ActivationChanged: ActivationChanged
  RentalChanged: RentalChanged
  PreorderChanged: PreorderChanged
}
export type LiveEventName = keyof LiveEvents

/** What the service and the country of a record are called, in every language: one event serves all tabs of a user. */
export type LiveNames = Record<Locale, { service: string; country: string }>

/** The payloads as they are sent: with a record go its names. */
export type SentEvents = {
  [Name in LiveEventName]: LiveEvents[Name] extends { record: unknown }
    ? LiveEvents[Name] & { names: LiveNames }
    : LiveEvents[Name]
}

export const LIVE_EVENT_NAMES = [
  'BalanceTopup',
  'NewUserNotification',
  'NewCode',
  'NewMessage',
  'ActivationChanged',
  'RentalChanged',
  'PreorderChanged',
] as const satisfies LiveEventName[]

/** The one channel of a user. Only a session of that user is let in. */
export function userChannel(userId: number): string {
  return `private-user.${userId}`
}
