import type { Answered } from '../wire/ask.ts'

/** The meanings of replies that contain no order. A reply with none of them leaves the outcome unknown. */
export type Meaning =
  | ('no-numbers' | 'no-funds' | 'no-rating' | 'rejected' | 'limited' | 'bad-key')
  | ('no-order' | 'has-sms' | 'no-sms' | 'over' | 'hosting' | 'too-early')

const WORDS: Readonly<Record<Meaning, readonly string[]>> = {
  'no-numbers': ['no free phones', 'server offline', 'reuse not possible', 'reuse false', 'reuse expired'],
  'no-funds': ['not enough user balance'],
  'no-rating': ['not enough rating'],
  rejected: [
    'select country',
    'select operator',
    'bad country',
    'bad operator',
    'no product',
    'country is incorrect',
    'product is incorrect',
  ],
  limited: [],
  'bad-key': [],
  'no-order': ['order not found', 'record not found'],
  'has-sms': ['order has sms'],
  'no-sms': ['order no sms'],
  over: ['order expired'],
  hosting: ['hosting order'],
  // Among services with this API, only an installation of Ringpost answers `cancel too early`. The job then retries.
  'too-early': ['cancel too early'],
}

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  Object.entries(WORDS).flatMap(([meaning, words]) =>
    // The cast is needed, because Object.entries loses the type of the keys.
    words.map((word): [string, Meaning] => [word, meaning as Meaning]),
  ),
)

/** 5sim sends `no free phones` with status 200. A 503 is no refusal: a proxy may send it after a successful call. */
const STATUSES: Readonly<Record<number, Meaning>> = { 401: 'bad-key', 429: 'limited' }
const BROKEN = 500

export function meaningOf({ status, text }: Pick<Answered, 'status' | 'text'>): Meaning | null {
  if (status >= BROKEN) return null
  return STATUSES[status] ?? MEANINGS.get(text.toLowerCase()) ?? null
}

/** Names a reply in errors and logs by a known text or its status. Anybody may have written its body. */
export function nameOf(answered: Pick<Answered, 'status' | 'text'>): string {
  return MEANINGS.has(answered.text.toLowerCase()) ? answered.text : `status ${answered.status}`
}
