import { DAY, MINUTE } from '#contract/time.ts'

export const MAX_OPEN_TICKETS = 20
export const MAX_OPEN_TICKETS_OF_BLOCKED = 1
export const MAX_TICKETS_A_DAY = 20
export const MAX_MESSAGES_A_MINUTE = 6
export const MAX_MESSAGES_A_DAY = 200
/** Returns the limit of open tickets. The member must be locked. */
export function openLimitOf({ isBlocked }: { isBlocked: boolean }): number {
  return isBlocked ? MAX_OPEN_TICKETS_OF_BLOCKED : MAX_OPEN_TICKETS
}

/** A ticket shows this many messages at once; older ones are fetched on request. */
export const MESSAGES_SHOWN = 30
export const REFUNDS_SHOWN = 50
/** The search reads the text of this many of a member's latest messages. */
export const MESSAGES_SEARCHED = 200
export const SUBJECTS_OF_KIND = 10
/** A ticket sends at most one mail about answers within this time. */
export const MAIL_PAUSE_MS = 15 * MINUTE
/** While the member is online and has not read the answer, the job checks it again for this long. */
export const MAIL_WATCH_MS = DAY
