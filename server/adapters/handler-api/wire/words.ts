/**
 * What a word of the other means for us. A word that is not here leaves the outcome unknown: BAD_ACTION too, which Tiger
 * says of any failure of its own.
 */
export type Meaning =
  | ('no-numbers' | 'no-funds' | 'rejected' | 'limited' | 'bad-key')
  | ('order-exists' | 'no-activation' | 'too-early' | 'has-code' | 'over' | 'not-now')
  | 'nothing-open'

const WORDS: Readonly<Record<Meaning, readonly string[]>> = {
  'no-numbers': [
    'NO_NUMBERS',
    'NO_PROVIDERS',
    'OUT_OF_STOCK',
    'NOT_AVAILABLE',
    'SERVICE_NOT_AVAILABLE',
    'WRONG_MAX_PRICE',
    'MAX_PRICE_EXCEEDED',
    'RENEW_ACTIVATION_NOT_AVAILABLE',
    'NEW_ACTIVATION_IMPOSSIBLE',
    'SIM_OFFLINE',
    'ASLEEP',
    'SIM_TEMPORARY_OFFLINE',
  ],
  'no-funds': ['NO_BALANCE', 'NO_MONEY', 'NO_BALANCE_FORWARD', 'BAD_BALANCE'],
  rejected: [
    'BAD_SERVICE',
    'WRONG_SERVICE',
    'BAD_COUNTRY',
    'WRONG_COUNTRY',
    'BAD_OPERATOR',
    'WRONG_OPERATOR',
    'BAD_DATA',
    'OPERATORS_NOT_FOUND',
    'UNPROCESSABLE_ENTITY',
    'WRONG_EXCEPTION_PHONE',
    'BAD_VALUES',
    'BAD_MAX_PRICE',
    'SERVICE_PROHIBITED',
    'BAD_CURRENCY',
    'BAD_PROVIDER_IDS',
    'BAD_ACTIVATION_TYPE',
    'SERVICE_UNAVAILABLE_REGION',
    'WHATSAPP_NOT_AVAILABLE',
    'NO_YULA_MAIL',
    'BAD_FORWARD',
    'RENT_DIE',
    'INVALID_TIME',
    'MAX_HOURS_EXCEEDED',
    'MAX_HOURS_EXCEED',
  ],
  limited: ['BANNED', 'CHANNELS_LIMIT', 'TOO_MANY_ACTIVE_RENTALS', 'RATE_LIMIT'],
  'bad-key': [
    'BAD_KEY',
    'NO_KEY',
    'API_KEY_NOT_VALID',
    'BAD_API_KEY',
    'MISSING_API_KEY',
    'USERS_IP_IS_NOT_ALLOWED',
    'ACCOUNT_INACTIVE',
  ],
  'order-exists': ['ORDER_ALREADY_EXISTS'],
  'no-activation': [
    'NO_ACTIVATION',
    'NOT_FOUND',
    'WRONG_ACTIVATION_ID',
    'INVALID_ACTIVATION_ID',
    'BAD_ID',
    'INVALID_PHONE',
    'NO_ID_RENT',
  ],
  'too-early': ['EARLY_CANCEL_DENIED', 'TOO_EARLY'],
  'has-code': ['OTP_RECEIVED', 'NEW_OTP_RECEIVED'],
  over: ['ALREADY_CANCEL', 'STATUS_ALREADY_CHANGED', 'ACTIVATION_NOT_ACTIVE', 'ALREADY_FINISH'],
  'not-now': ['BAD_STATUS', 'ACTION_NOT_AVAILABLE', 'FREE_CANCELLATION_EXPIRED', 'CANT_CANCEL', 'INCORECT_STATUS'],
  'nothing-open': ['NO_ACTIVATIONS'],
}

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  Object.entries(WORDS).flatMap(([meaning, words]) =>
    // Object.entries forgets the type of its keys.
    words.map((word): [string, Meaning] => [word, meaning as Meaning]),
  ),
)

export function meaningOf(word: string | null): Meaning | null {
  return word === null ? null : (MEANINGS.get(word) ?? null)
}
