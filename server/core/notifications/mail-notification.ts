import { formatPhone } from '#contract/formats/phone-format.ts'
import type { Mail } from '#contract/mails.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { findToldRow, markMailed, type ToldRow } from './queries/telling.ts'
import { readJob } from './tell.ts'
import { wordsOf } from './words/words-of.ts'

/** The minimum length of a rental whose end is mailed; a shorter one would be over before the mail is read. */
const MAIL_FROM_HOURS = 24

/** Mails a notification some minutes after it was made, unless it was read on the site. */
export async function mailNotification(ctx: Context, payload: unknown): Promise<void> {
  const id = readJob(payload)
  const row = await findToldRow(ctx.db, id)
  if (row === null || row.is_blocked || row.email === null || !row.channels.includes('mail')) return
  const mail = letterOf(ctx, row)
  if (mail === null) return
  const { email: to, locale } = row
  await transaction(ctx.db, async (tx) => {
    if (await markMailed(tx, { id, now: ctx.clock.now() })) await queueMail(ctx, tx, { to, locale, mail })
  })
}

function letterOf(ctx: Context, row: ToldRow): Mail | null {
  // Support sends its own mails, at most one for each ticket in a quarter of an hour.
  if (row.kind === 'ticket-answer') return null
  if (row.kind !== 'rental-ending')
    return { kind: 'notification', ...wordsOf(catalogOf(ctx), row, row.locale), link: row.link }
  const { phone, countryId, until, hours } = row.details
  if (hours < MAIL_FROM_HOURS) return null
  const shown = formatPhone(phone, catalogOf(ctx).countries.get(countryId)?.dial ?? '')
  return { kind: 'rental-expiring', phone: shown, until, timeZone: row.time_zone }
}
