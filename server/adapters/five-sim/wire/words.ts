import type { Answered } from './ask.ts'

/** The meanings of replies that contain no order. A reply with none of them leaves the outcome unknown. */
export type Meaning =
  | ('no-numbers' | 'no-funds' | 'no-rating' | 'rejected' | 'limited' | 'bad-key')
  | ('no-order' | 'has-sms' | 'no-sms' | 'over' | 'hosting' | 'too-early')

/**
 * The error texts of the API, which clients compare letter by letter. `means` is the meaning when another service sends
 * the text; without `means` the outcome is unknown. `ours` marks texts that we send too.
 */
export const WORDS = {
  'no free phones': { means: 'no-numbers', ours: true },
  'server offline': { means: 'no-numbers', ours: true },
  'reuse not possible': { means: 'no-numbers', ours: true },
  'reuse expired': { means: 'no-numbers', ours: true },
  'reuse false': { means: 'no-numbers' },
  'not enough user balance': { means: 'no-funds', ours: true },
  'not enough rating': { means: 'no-rating', ours: true },
  'select country': { means: 'rejected', ours: true },
  'select operator': { means: 'rejected', ours: true },
  'bad country': { means: 'rejected', ours: true },
  'bad operator': { means: 'rejected', ours: true },
  'no product': { means: 'rejected', ours: true },
  'country is incorrect': { means: 'rejected', ours: true },
  'product is incorrect': { means: 'rejected', ours: true },
  'order not found': { means: 'no-order', ours: true },
  'record not found': { means: 'no-order' },
  'order has sms': { means: 'has-sms', ours: true },
  'order no sms': { means: 'no-sms', ours: true },
  'order expired': { means: 'over', ours: true },
  'hosting order': { means: 'hosting', ours: true },
  'product_name is empty': { ours: true },
  'internal error': { ours: true },
  // 5sim has no texts for the following errors. The job that ends a number retries after `cancel too early`.
  'cancel too early': { means: 'too-early', ours: true },
  'bad price': { ours: true },
  'bad request': { ours: true },
  'not found': { ours: true },
  'too many requests': { ours: true },
} as const satisfies Record<string, { means?: Meaning; ours?: true }>

type Words = typeof WORDS
export type Word = { [W in keyof Words]: Words[W] extends { ours: true } ? W : never }[keyof Words]

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  Object.entries(WORDS).flatMap(([word, entry]) => ('means' in entry ? [[word, entry.means]] : [])),
)

/**
 * 5sim answers `no free phones` with status 200. A 503 means no refusal, because a proxy may send 503 for a request
 * that succeeded.
 */
const STATUSES: Readonly<Record<number, Meaning>> = { 401: 'bad-key', 429: 'limited' }
const BROKEN = 500

export function meaningOf({ status, text }: Pick<Answered, 'status' | 'text'>): Meaning | null {
  if (status >= BROKEN) return null
  return STATUSES[status] ?? MEANINGS.get(text.toLowerCase()) ?? null
}

/**
 * Returns how errors and logs name a reply: by its text if the text is known, or else by its status. Anybody may have
 * written an unknown text.
 */
export function nameOf({ status, text }: Pick<Answered, 'status' | 'text'>): string {
  return MEANINGS.has(text.toLowerCase()) ? text : `status ${status}`
}

/** The states of an order. `over` marks final states, `refunded` those in which the buyer has the money back. */
export const ORDER_STATUSES = {
  PENDING: { over: false, refunded: false },
  // At 5sim, RECEIVED only means that the number waits for messages.
  RECEIVED: { over: false, refunded: false },
  CANCELED: { over: true, refunded: true },
  TIMEOUT: { over: true, refunded: false },
  FINISHED: { over: true, refunded: false },
  BANNED: { over: true, refunded: true },
} as const
export type OrderStatus = keyof typeof ORDER_STATUSES
