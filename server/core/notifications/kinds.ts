import type { Locale } from '#contract/constants.ts'
import type { Currency } from '#contract/money.ts'
import type { NotificationChannel } from '#contract/notifications/notification.ts'

/** The stored details of a notification, from which its text is made: micros as text, times in ISO 8601. */
export type Details = {
  'payment-credited': { amountMicros: string; currency: Currency }
  'payment-disputed': { amountMicros: string; currency: Currency }
  /** A won dispute returns the money to the balance; a lost dispute leaves it with the payer. */
  'dispute-ended': { amountMicros: string; currency: Currency; isWon: boolean }
  /** A refund for a number that did not work; `phone` has digits only. */
  refunded: { amountMicros: string; currency: Currency; serviceCode: string; countryId: number; phone: string | null }
  'balance-low': { limitMicros: string; currency: Currency }
  /** `phone` has digits only. `hours` is the length of the whole rental period. */
  'rental-ending': { phone: string; countryId: number; until: string; hours: number }
  'preorder-bought': { serviceCode: string; countryId: number }
  'preorder-ended': { serviceCode: string; countryId: number; state: 'expired' | 'failed' }
  /** `host` is that of the webhook's URL. Only sandbox keys can turn a `sandbox` webhook on again. */
  'webhook-off': { label: string; host: string; reason: 'failing' | 'gone'; sandbox?: true }
  'ticket-answer': { subject: string }
  /** `serviceCode` is the cheapest service; `others` are services whose price fell at the same time. */
  'favorite-price': { serviceCode: string; priceMicros: string; currency: Currency; others?: string[] }
  'new-device': { device: string; address: string }
  'telegram-linked': { name: string }
  'telegram-unlinked': { name: string }
  'security-silenced': { channels: NotificationChannel[] }
  news: Record<Locale, { title: string; text: string }>
}

export type Told = { [Kind in keyof Details]: { kind: Kind; details: Details[Kind] } }[keyof Details]
