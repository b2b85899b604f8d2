import { type AlarmKind, GATEWAY_ALARMS } from '#contract/mails.ts'
import type { Context } from '#server/context.ts'
import { transaction } from '#server/db/transaction.ts'
import { queueMail } from '#server/mail/queue-mail.ts'
import { beginAlarm, endAlarm } from './queries.ts'

/** `about`: the supplier's or gateway's code, the currency, the exceeded limit, how many wait, or the first problem of the books. */
export type Alarm = { kind: AlarmKind; about: string }

const OF_EACH: readonly AlarmKind[] = ['link-down', 'rate-old', 'rate-doubtful', ...GATEWAY_ALARMS]

/** Links, rates and gateways have an alarm each. */
export function nameOf({ kind, about }: Alarm): string {
  return OF_EACH.includes(kind) ? `${kind} ${about}` : kind
}

/** Mails ALARM_MAIL once at the beginning and once at the end. Mail and mark are one transaction. */
export async function setAlarm(ctx: Context, alarm: Alarm, stands: boolean): Promise<void> {
  const { alarmMail, zones } = ctx.config
  if (alarmMail === null) return
  const now = ctx.clock.now()
  const name = nameOf(alarm)
  const changed = await transaction(ctx.db, async (tx) => {
    const isNew = stands ? await beginAlarm(tx, { name, now }) : await endAlarm(tx, name)
    if (!isNew) return false
    const locale = zones[0]?.locales[0] ?? 'ru'
    const mail = { kind: 'alarm' as const, alarm: alarm.kind, about: alarm.about, over: !stands, at: now.toISOString() }
    await queueMail(ctx, tx, { to: alarmMail, locale, mail })
    return true
  })
  // After the commit: a transaction may fail, or run twice.
  if (changed) ctx.log.warn({ alarm: name, over: !stands }, stands ? 'an alarm began' : 'an alarm is over')
}
