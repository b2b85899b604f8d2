import { DAY, MINUTE } from '#contract/time.ts'

export const MAX_OPEN_TICKETS = 20
export const MAX_OPEN_TICKETS_OF_BLOCKED = 1
export const MAX_TICKETS_A_DAY = 20
export const MAX_MESSAGES_A_MINUTE = 6
export const MAX_MESSAGES_A_DAY = 200
/** Returns how many tickets a user may have open; fewer if blocked. The user must be locked. */
export function openLimitOf({ isBlocked }: { isBlocked: boolean }): number {
  return isBlocked ? MAX_OPEN_TICKETS_OF_BLOCKED : MAX_OPEN_TICKETS
}

export const MESSAGES_SHOWN = 30
export const REFUNDS_SHOWN = 50
export const MESSAGES_SEARCHED = 200
export const SUBJECTS_OF_KIND = 10
/** The time within which a ticket sends at most one mail about answers. */
export const MAIL_PAUSE_MS = 15 * MINUTE
/** The time for which the mail job waits while the user is online and has not read the answer. */
export const MAIL_WATCH_MS = DAY
