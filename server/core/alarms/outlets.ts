import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Locale } from '#contract/constants.ts'
import type { AlarmKind } from '#contract/mails.ts'
import { contentLocale } from '#contract/settings/languages.ts'
import { DAY, SECOND } from '#contract/time.ts'
import { ALARM_SINCE_EN, ALARM_WHY_EN, ALARMS_EN } from '#contract/words/alarms-en.ts'
import { ALARM_SINCE_RU, ALARM_WHY_RU, ALARMS_RU } from '#contract/words/alarms-ru.ts'
import { telegramOf } from '#server/house/bot/bot.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { askOutside, OutsideRefused } from '#server/house/http/outbound/ask-outside.ts'
import type { Task } from '#server/house/jobs/runner.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { findStaffLocale, queueTold } from './told-queries.ts'
import { findWhy } from './why-queries.ts'

type Told = { kind: AlarmKind; about: string; over: boolean; at: Date; since: Date }

const payloadSchema = z.object({
  id: z.string(),
  kind: z.string().refine((kind): kind is AlarmKind => Object.hasOwn(ALARMS_EN, kind)),
  about: z.string(),
  over: z.boolean(),
  at: z.string(),
  /** `since` is optional because alarm jobs queued by an earlier release lack it. */
  since: z.string().optional(),
  why: z.string().nullable().default(null),
})
type Payload = z.infer<typeof payloadSchema>

/** Queues one job for each alarm outlet (mail, Telegram, webhook), so that an outage of one does not delay others. */
export async function tellOutlets(ctx: Context, tx: Db, told: Told): Promise<void> {
  const { alarmMail, alarmTelegramChat, alarmWebhook } = ctx.config
  const { kind, about, over } = told
  const dayAgo = new Date(told.at.getTime() - DAY)
  const why = over ? null : await findWhy(tx, { kind, about, since: dayAgo })
  const [at, since] = [told.at.toISOString(), told.since.toISOString()]
  if (alarmMail !== null) {
    await queueMail(ctx, tx, {
      to: alarmMail,
      locale: await localeOf(ctx, tx),
      mail: { kind: 'alarm', alarm: kind, about, over, at, since, why },
    })
  }
  const payload: Payload = { id: ctx.random.uuid(), kind, about, over, at, since, why }
  if (alarmTelegramChat !== null) await queueTold(tx, { task: 'alarm-telegram', payload })
  if (alarmWebhook !== null) await queueTold(tx, { task: 'alarm-webhook', payload })
}

/** Defines the jobs that announce alarms. A throw repeats the job, so an alarm may arrive twice but is not lost. */
export function alarmTasks(ctx: Context): Record<string, Task> {
  return {
    'alarm-telegram': (payload) => sendToChat(ctx, payloadSchema.parse(payload)),
    'alarm-webhook': (payload) => sendToWebhook(ctx, payloadSchema.parse(payload)),
  }
}

async function sendToChat(ctx: Context, payload: Payload): Promise<void> {
  const { alarmTelegramChat: chatId } = ctx.config
  const { bot } = telegramOf(ctx)
  if (chatId === null || bot === null) return
  const { heading, text } = wordsOf(await localeOf(ctx, ctx.db), payload)
  await bot.send({ chatId, html: `<b>${escapeHtml(heading)}</b>\n${escapeHtml(text)}` })
}

async function sendToWebhook(ctx: Context, payload: Payload): Promise<void> {
  const { alarmWebhook: url, outboundPrivateHosts } = ctx.config
  if (url === null || ctx.secrets.alarmSecret === null) return
  const { heading, text } = wordsOf(await localeOf(ctx, ctx.db), payload)
  const { id, kind: alarm, about, over, at, since = at, why } = payload
  const body = Buffer.from(JSON.stringify({ id, alarm, about, over, at, since, why, heading, text }))
  const seconds = Math.floor(ctx.clock.now().getTime() / SECOND)
  const signature = createHmac('sha256', ctx.secrets.alarmSecret).update(`${seconds}.`).update(body).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'ringpost-signature': `t=${seconds},v1=${signature}`,
  }
  // The operator's own webhook may be a host of the private network, so its host name is allowed.
  const privateHosts = [...outboundPrivateHosts, new URL(url).hostname]
  try {
    const { status } = await askOutside({ method: 'POST', url, headers, body }, { privateHosts })
    if (status < 200 || status > 299) throw new Error(`the webhook of alarms answered ${status}`)
  } catch (error) {
    if (!(error instanceof OutsideRefused)) throw error
    ctx.log.error({ error, alarm }, 'the webhook of alarms cannot be asked')
  }
}

function wordsOf(
  locale: Locale,
  { kind, about, over, at, since = at, why }: Payload,
): { heading: string; text: string } {
  const isRussian = locale === 'ru'
  const words = (isRussian ? ALARMS_RU : ALARMS_EN)[kind]
  const heading = `${over ? words.over : words.begun}${about === '' ? '' : ` (${about})`}`
  const cause = why === null ? '' : `${isRussian ? ALARM_WHY_RU : ALARM_WHY_EN}: ${why}\n`
  const began = since === at ? '' : `${isRussian ? ALARM_SINCE_RU : ALARM_SINCE_EN}: ${momentOf(since)}\n`
  return { heading, text: `${began}${over ? '' : `${cause}${words.todo}`}`.trimEnd() }
}

function momentOf(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`
}

async function localeOf({ config: { zones, alarmMail } }: Context, db: Db): Promise<Locale> {
  return (await findStaffLocale(db, alarmMail)) ?? contentLocale(zones[0]?.locales[0] ?? 'ru')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
