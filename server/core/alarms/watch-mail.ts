import type { Context } from '#server/house/context.ts'
import { runDelayedMails } from '#server/house/jobs/run-delayed-jobs.ts'
import { countUnsent } from './queries.ts'
import { type Alarm, nameOf, setAlarm } from './set-alarm.ts'
import type { Found } from './watch-suppliers.ts'

const KIND: Alarm['kind'] = 'mail-down'

/** Finds a mail outage. Its alarm mail waits in the failing queue, but the other outlets announce it at once. */
export async function findMailDown({ db }: Context, standing: ReadonlySet<string>): Promise<Found> {
  const count = await countUnsent(db)
  const alarm: Alarm = { kind: KIND, about: count === 0 ? '' : String(count) }
  return { alarm, stands: count > 0 || standing.has(nameOf(alarm)) }
}

/**
 * Ends the mail alarm after a mail was sent. An empty queue does not end the alarm, because expired mails are dropped.
 */
export async function endMailDown(ctx: Context): Promise<void> {
  if (await setAlarm(ctx, { kind: KIND, about: '' }, false)) await runDelayedMails(ctx.db)
}
