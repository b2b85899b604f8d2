import type { Answered } from '../wire/ask.ts'

/** What an answer that is no order means for us. One that is not here leaves the outcome unknown. */
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
  // Of a Ringpost that answers as 5sim does: the job comes again.
  'too-early': ['cancel too early'],
}

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  Object.entries(WORDS).flatMap(([meaning, words]) =>
    // Object.entries forgets the type of its keys.
    words.map((word): [string, Meaning] => [word, meaning as Meaning]),
  ),
)

/**
 * 503 is the limit of our address as well as the word of a proxy for a service that may have carried out the call: unknown,
 * like every 5xx. `no free phones` comes with 200.
 */
const STATUSES: Readonly<Record<number, Meaning>> = { 401: 'bad-key', 429: 'limited' }
const BROKEN = 500

export function meaningOf({ status, text }: Pick<Answered, 'status' | 'text'>): Meaning | null {
  if (status >= BROKEN) return null
  return STATUSES[status] ?? MEANINGS.get(text.toLowerCase()) ?? null
}

/** For errors and logs: a word of the table, or the status alone, because a stranger may have written the rest. */
export function nameOf(answered: Pick<Answered, 'status' | 'text'>): string {
  return MEANINGS.has(answered.text.toLowerCase()) ? answered.text : `status ${answered.status}`
}
