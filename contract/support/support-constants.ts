/** The constants are apart from the schemas of support, because pages need not load the schemas. */
import { MEBIBYTE } from '#contract/time.ts'

export const SUPPORT_CATEGORIES = ['number', 'payment', 'account', 'api', 'other'] as const
export type SupportCategory = (typeof SUPPORT_CATEGORIES)[number]

/** An `open` ticket waits for staff, and an `answered` one for the member. A member's reply opens the ticket again. */
export const TICKET_STATES = ['open', 'answered', 'closed'] as const
export type TicketState = (typeof TICKET_STATES)[number]

export const SUBJECT_MAX_LENGTH = 120
/** The maximum length of a search text. The time of a search grows with it. */
export const TICKET_SEARCH_MAX_LENGTH = 60
export const MESSAGE_MAX_LENGTH = 10_000
export const MESSAGE_MAX_FILES = 10
export const TICKET_MAX_FILES = 20
export const FILE_MAX_BYTES = 5 * MEBIBYTE
export const TICKET_MAX_BYTES = 20 * MEBIBYTE
export const DAY_MAX_BYTES = 50 * MEBIBYTE
export const FILE_NAME_MAX_LENGTH = 120
export const FILE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'application/pdf'] as const
export type FileType = (typeof FILE_TYPES)[number]

export const ABOUT_KINDS = ['activation', 'rental', 'payment'] as const
export type AboutKind = (typeof ABOUT_KINDS)[number]
