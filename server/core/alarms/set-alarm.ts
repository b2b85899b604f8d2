import { type AlarmKind, GATEWAY_ALARMS, SUPPLIER_ALARMS } from '#contract/mails.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { tellOutlets } from './outlets.ts'
import { beginAlarm, claimUntold, endAlarm } from './queries.ts'

/** `about` is the code of a supplier or gateway, a currency, an exceeded limit, a count, or an error of the ledger. */
export type Alarm = { kind: AlarmKind; about: string }

export const OF_EACH: readonly AlarmKind[] = [...SUPPLIER_ALARMS, 'rate-old', 'rate-doubtful', ...GATEWAY_ALARMS]

export function nameOf({ kind, about }: Alarm): string {
  return OF_EACH.includes(kind) ? `${kind} ${about}` : kind
}

/**
 * Begins or ends an alarm. Each change is announced to every outlet (mail, Telegram, webhook) once, in the transaction
 * that stores it. Returns false if nothing changed.
 */
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
  // The log line follows the commit, because a transaction may fail or run twice.
  if (told === null) return false
  ctx.log.warn({ alarm: name, over: !stands, told }, stands ? 'an alarm began' : 'an alarm is over')
  return true
}

export async function tellUnmuted(ctx: Context): Promise<void> {
  let isTold = true
  while (isTold) {
    const now = ctx.clock.now()
    isTold = await transaction(ctx.db, async (tx) => {
      const alarm = await claimUntold(tx, now)
      if (alarm === null) return false
      const { name, about, began_at: since } = alarm
      // The cast holds because the name of an alarm begins with its kind.
      const kind = name.split(' ')[0] as AlarmKind
      await tellOutlets(ctx, tx, { kind, about, over: false, at: now, since })
      return true
    })
  }
}

export function isWatching({ config: { alarmMail, alarmTelegramChat, alarmWebhook } }: Context): boolean {
  return alarmMail !== null || alarmTelegramChat !== null || alarmWebhook !== null
}
