/** The calls of a platform at a SIM bank. */
export type Action = 'GET_SERVICES' | 'GET_NUMBER' | 'FINISH_ACTIVATION'

/** The call by which a bank delivers a message to its platform. */
export const PUSH_SMS = 'PUSH_SMS'
/** The calls by which a bank that also sells voice calls delivers them. We answer NO_OPERATION. */
export const PUSHED_CALLS: readonly unknown[] = ['PUSH_CALL', 'PUSH_CALL_RECORD']

export type ReplyStatus = 'SUCCESS' | 'ERROR' | 'NO_NUMBERS'
/** A reply that we send, as a bank to a platform's call. A bigint is written as a number. */
export type Reply = { status: ReplyStatus; [field: string]: unknown }

/** Error replies of banks and platforms alike. A receiver that replies BAD_KEY has not acted on the call. */
export const BAD_KEY = 'BAD_KEY'
export const BAD_ACTION = 'BAD_ACTION'
export const BAD_DATA = 'BAD_DATA'
export const NO_OPERATION = 'NO_OPERATION'

/** The statuses with which a platform ends an activation by FINISH_ACTIVATION. */
export const STATUS = { used: 1, sold: 3, cancelled: 4, refunded: 5 } as const

/** The currency numbers of ISO 4217. */
export const CURRENCY_NUMBERS = { rub: 643, usd: 840 } as const
