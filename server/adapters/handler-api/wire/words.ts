export type Meaning =
  | ('no-numbers' | 'no-funds' | 'rejected' | 'limited' | 'bad-key')
  | ('order-exists' | 'no-activation' | 'too-early' | 'has-code' | 'over' | 'not-now')
  | 'nothing-open'

/**
 * The API's reply texts, which clients compare exactly. `means` is the meaning of a text from another service. The
 * outcome is unknown if `means` is missing, as for BAD_ACTION, which Tiger sends for any internal failure. `ours` marks
 * texts that we send too.
 */
const WORDS = {
  NO_NUMBERS: { means: 'no-numbers', ours: true },
  NO_PROVIDERS: { means: 'no-numbers' },
  OUT_OF_STOCK: { means: 'no-numbers', ours: true },
  NOT_AVAILABLE: { means: 'no-numbers', ours: true },
  SERVICE_NOT_AVAILABLE: { means: 'no-numbers' },
  WRONG_MAX_PRICE: { means: 'no-numbers', ours: true },
  MAX_PRICE_EXCEEDED: { means: 'no-numbers' },
  RENEW_ACTIVATION_NOT_AVAILABLE: { means: 'no-numbers', ours: true },
  NEW_ACTIVATION_IMPOSSIBLE: { means: 'no-numbers', ours: true },
  SIM_OFFLINE: { means: 'no-numbers' },
  ASLEEP: { means: 'no-numbers' },
  SIM_TEMPORARY_OFFLINE: { means: 'no-numbers' },
  NO_BALANCE: { means: 'no-funds', ours: true },
  NO_MONEY: { means: 'no-funds' },
  NO_BALANCE_FORWARD: { means: 'no-funds' },
  BAD_BALANCE: { means: 'no-funds' },
  BAD_SERVICE: { means: 'rejected', ours: true },
  WRONG_SERVICE: { means: 'rejected', ours: true },
  BAD_COUNTRY: { means: 'rejected', ours: true },
  WRONG_COUNTRY: { means: 'rejected' },
  BAD_OPERATOR: { means: 'rejected', ours: true },
  WRONG_OPERATOR: { means: 'rejected' },
  BAD_DATA: { means: 'rejected', ours: true },
  OPERATORS_NOT_FOUND: { means: 'rejected', ours: true },
  UNPROCESSABLE_ENTITY: { means: 'rejected' },
  WRONG_EXCEPTION_PHONE: { means: 'rejected', ours: true },
  BAD_VALUES: { means: 'rejected' },
  BAD_MAX_PRICE: { means: 'rejected' },
  SERVICE_PROHIBITED: { means: 'rejected' },
  BAD_CURRENCY: { means: 'rejected', ours: true },
  BAD_PROVIDER_IDS: { means: 'rejected' },
  BAD_ACTIVATION_TYPE: { means: 'rejected' },
  SERVICE_UNAVAILABLE_REGION: { means: 'rejected' },
  WHATSAPP_NOT_AVAILABLE: { means: 'rejected' },
  NO_YULA_MAIL: { means: 'rejected' },
  BAD_FORWARD: { means: 'rejected' },
  RENT_DIE: { means: 'rejected', ours: true },
  INVALID_TIME: { means: 'rejected', ours: true },
  MAX_HOURS_EXCEEDED: { means: 'rejected', ours: true },
  MAX_HOURS_EXCEED: { means: 'rejected' },
  BANNED: { means: 'limited', ours: true },
  CHANNELS_LIMIT: { means: 'limited', ours: true },
  TOO_MANY_ACTIVE_RENTALS: { means: 'limited' },
  RATE_LIMIT: { means: 'limited', ours: true },
  BAD_KEY: { means: 'bad-key', ours: true },
  NO_KEY: { means: 'bad-key', ours: true },
  API_KEY_NOT_VALID: { means: 'bad-key' },
  BAD_API_KEY: { means: 'bad-key' },
  MISSING_API_KEY: { means: 'bad-key' },
  USERS_IP_IS_NOT_ALLOWED: { means: 'bad-key' },
  ACCOUNT_INACTIVE: { means: 'bad-key', ours: true },
  ORDER_ALREADY_EXISTS: { means: 'order-exists', ours: true },
  NO_ACTIVATION: { means: 'no-activation', ours: true },
  NOT_FOUND: { means: 'no-activation' },
  WRONG_ACTIVATION_ID: { means: 'no-activation', ours: true },
  INVALID_ACTIVATION_ID: { means: 'no-activation', ours: true },
  BAD_ID: { means: 'no-activation' },
  INVALID_PHONE: { means: 'no-activation', ours: true },
  NO_ID_RENT: { means: 'no-activation', ours: true },
  EARLY_CANCEL_DENIED: { means: 'too-early', ours: true },
  TOO_EARLY: { means: 'too-early' },
  OTP_RECEIVED: { means: 'has-code' },
  NEW_OTP_RECEIVED: { means: 'has-code' },
  ALREADY_CANCEL: { means: 'over', ours: true },
  STATUS_ALREADY_CHANGED: { means: 'over' },
  ACTIVATION_NOT_ACTIVE: { means: 'over', ours: true },
  ALREADY_FINISH: { means: 'over', ours: true },
  BAD_STATUS: { means: 'not-now', ours: true },
  ACTION_NOT_AVAILABLE: { means: 'not-now' },
  FREE_CANCELLATION_EXPIRED: { means: 'not-now' },
  CANT_CANCEL: { means: 'not-now', ours: true },
  INCORECT_STATUS: { means: 'not-now', ours: true },
  NO_ACTIVATIONS: { means: 'nothing-open', ours: true },
  BAD_ACTION: { ours: true },
  ERROR_SQL: { ours: true },
  STATUS_WAIT_CODE: { ours: true },
  STATUS_FINISH: { ours: true },
  STATUS_CANCEL: { ours: true },
  STATUS_REVOKE: { ours: true },
  WRONG_ADDITIONAL_SERVICE: { ours: true },
  NO_CALL: { ours: true },
  NOT_INCOMING: { ours: true },
  WRONG_DATE: { ours: true },
  CURRENCY_CHANGE_UNAVAILABLE: { ours: true },
} as const satisfies Record<string, { means?: Meaning; ours?: true }>

type Words = typeof WORDS
export type Word = { [W in keyof Words]: Words[W] extends { ours: true } ? W : never }[keyof Words]

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  Object.entries(WORDS).flatMap(([word, entry]) => ('means' in entry ? [[word, entry.means]] : [])),
)

export function meaningOf(word: string | null): Meaning | null {
  return word === null ? null : (MEANINGS.get(word) ?? null)
}
