import { DAY, MINUTE } from '#contract/time.ts'

/** Per member. Closed tickets do not count. */
export const MAX_OPEN_TICKETS = 20
/** Of a blocked one, who asks why. */
export const MAX_OPEN_TICKETS_OF_BLOCKED = 1
export const MAX_TICKETS_A_DAY = 20
/** Messages of a member, in all tickets. */
export const MAX_MESSAGES_A_MINUTE = 6
export const MAX_MESSAGES_A_DAY = 200
/** Of a member who must be locked. */
export function openLimitOf({ isBlocked }: { isBlocked: boolean }): number {
  return isBlocked ? MAX_OPEN_TICKETS_OF_BLOCKED : MAX_OPEN_TICKETS
}

/** Shown at once; older ones are asked for. */
export const MESSAGES_SHOWN = 30
/** Lines of money back in a ticket; the newest. */
export const REFUNDS_SHOWN = 50
/** The search reads the text of so many of a member's latest messages. */
export const MESSAGES_SEARCHED = 200
/** Choices of each kind that a ticket may be about. */
export const SUBJECTS_OF_KIND = 10
/** One mail about answers of a ticket in this time. */
export const MAIL_PAUSE_MS = 15 * MINUTE
/** While the member is here and has not read, the answer is looked at again for this long. */
export const MAIL_WATCH_MS = DAY
