import type { Locale } from '#contract/constants.ts'
import type { Currency } from '#contract/money.ts'
import type { NotificationChannel } from '#contract/notifications/notification.ts'

/** What is kept of each kind, as JSON: micros are whole numbers as text, times ISO 8601. Words are made of it when it is read. */
export type Details = {
  'payment-credited': { amountMicros: string; currency: Currency }
  'payment-disputed': { amountMicros: string; currency: Currency }
  /** Won: the money came back to the balance. Lost: it stays with whoever paid. */
  'dispute-ended': { amountMicros: string; currency: Currency; isWon: boolean }
  /** For a number that did not work. `phone` has digits alone. */
  refunded: { amountMicros: string; currency: Currency; serviceCode: string; countryId: number; phone: string | null }
  /** The limit was chosen by its reader. */
  'balance-low': { limitMicros: string; currency: Currency }
  /** `phone` has digits alone. `hours`: the whole period. */
  'rental-ending': { phone: string; countryId: number; until: string; hours: number }
  'preorder-bought': { serviceCode: string; countryId: number }
  'preorder-ended': { serviceCode: string; countryId: number; state: 'expired' | 'failed' }
  /** `host` of its address. `sandbox`: it told of play money, and keys with play money alone turn it on. */
  'webhook-off': { label: string; host: string; reason: 'failing' | 'gone'; sandbox?: true }
  'ticket-answer': { subject: string }
  /** The cheapest, and the codes of `others` that have come down with it. */
  'favorite-price': { serviceCode: string; priceMicros: string; currency: Currency; others?: string[] }
  'new-device': { device: string; address: string }
  /** `name`: of the person in Telegram. */
  'telegram-linked': { name: string }
  'telegram-unlinked': { name: string }
  /** The channels that were turned off. */
  'security-silenced': { channels: NotificationChannel[] }
  news: Record<Locale, { title: string; text: string }>
}

export type Told = { [Kind in keyof Details]: { kind: Kind; details: Details[Kind] } }[keyof Details]
