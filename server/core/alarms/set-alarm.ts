import { type AlarmKind, GATEWAY_ALARMS, SUPPLIER_ALARMS } from '#contract/mails.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { tellOutlets } from './outlets.ts'
import { beginAlarm, claimUntold, endAlarm } from './queries.ts'

/** `about`: the supplier's or gateway's code, the currency, the exceeded limit, how many wait, or the first problem of the books. */
export type Alarm = { kind: AlarmKind; about: string }

/** One alarm for each supplier, currency or gateway. */
export const OF_EACH: readonly AlarmKind[] = [...SUPPLIER_ALARMS, 'rate-old', 'rate-doubtful', ...GATEWAY_ALARMS]

export function nameOf({ kind, about }: Alarm): string {
  return OF_EACH.includes(kind) ? `${kind} ${about}` : kind
}

/** Tells every outlet once at the beginning and once at the end. What is told and the mark are one transaction. False: nothing changed. */
export async function setAlarm(ctx: Context, alarm: Alarm, stands: boolean): Promise<boolean> {
  if (!isWatching(ctx)) return false
  const now = ctx.clock.now()
  const name = nameOf(alarm)
  const told = await transaction(ctx.db, async (tx) => {
    const ended = stands ? null : await endAlarm(tx, name)
    const isTold = stands ? await beginAlarm(tx, { name, about: alarm.about, now }) : (ended?.told ?? null)
    if (isTold === true) await tellOutlets(ctx, tx, { ...alarm, over: !stands, at: now, since: ended?.began_at ?? now })
    return isTold
  })
  // After the commit: a transaction may fail, or run twice.
  if (told === null) return false
  ctx.log.warn({ alarm: name, over: !stands, told }, stands ? 'an alarm began' : 'an alarm is over')
  return true
}

/** What began while it was muted, and still stands. */
export async function tellUnmuted(ctx: Context): Promise<void> {
  let isTold = true
  while (isTold) {
    const now = ctx.clock.now()
    isTold = await transaction(ctx.db, async (tx) => {
      const alarm = await claimUntold(tx, now)
      if (alarm === null) return false
      const { name, about, began_at: since } = alarm
      // Names begin with their kind.
      const kind = name.split(' ')[0] as AlarmKind
      await tellOutlets(ctx, tx, { kind, about, over: false, at: now, since })
      return true
    })
  }
}

/** Without anybody to tell nothing is looked at. */
export function isWatching({ config: { alarmMail, alarmTelegramChat, alarmWebhook } }: Context): boolean {
  return alarmMail !== null || alarmTelegramChat !== null || alarmWebhook !== null
}
