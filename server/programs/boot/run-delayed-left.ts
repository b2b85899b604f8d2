import { LONGEST_PAUSE_MS } from '#server/core/notifications/push/push-pauses.ts'
import { MAIL_AFTER_MS } from '#server/core/notifications/tell.ts'
import { MAIL_PAUSE_MS } from '#server/core/support/limits.ts'
import type { Context } from '#server/house/context.ts'
import { runDelayedJobs } from '#server/house/jobs/run-delayed-jobs.ts'
import { LONGEST_SLOT_MS } from '#server/surfaces/telegram/sending/pace.ts'

/** The longest delay with which jobs of each task are queued on purpose. */
const LONGEST_MS = {
  'mail-notification': MAIL_AFTER_MS,
  'mail-answer': MAIL_PAUSE_MS,
  'send-push': LONGEST_PAUSE_MS,
  'telegram-code': LONGEST_SLOT_MS.code,
  'telegram-notification': LONGEST_SLOT_MS.notice,
  'telegram-reply': LONGEST_SLOT_MS.reply,
}

/**
 * Runs jobs whose time lies further ahead than LONGEST_MS. Call it each minute, because PostgreSQL's clock may be set
 * back at any time.
 */
export async function runDelayedLeft({ db, log }: Context): Promise<void> {
  const hastened = await runDelayedJobs(db, LONGEST_MS)
  if (hastened > 0) log.warn({ hastened }, 'jobs that waited for a time too far away run now: was a clock set back?')
}
