/** What pages need of the staff room without its schemas. */
import { TICKET_STATES } from '#contract/support/support-constants.ts'

export const STAFF_ROLES = ['support', 'operator'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]

/** `all` or one state. Open ones stand in the order of their waiting, all others newest first. */
export const QUEUE_STATES = ['all', ...TICKET_STATES] as const

export const ANSWER_TITLE_MAX_LENGTH = 80
export const ANSWER_MAX_LENGTH = 5_000
/** The list is sent whole. */
export const MAX_ANSWERS = 100
export const STAFF_PAGE_SIZE = 20
/** Of the buyer, on his card. */
export const CARD_NUMBERS = 10
export const CARD_PAYMENTS = 5

export const ORDER_KINDS = ['activation', 'rental'] as const
export type OrderKind = (typeof ORDER_KINDS)[number]
