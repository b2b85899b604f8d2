import { createHash } from 'node:crypto'
import { LOCALES, type Locale } from '#contract/constants.ts'
import { MAIL_CODE_MINUTES, type Mail, type MailRenderer, RESET_LINK_MINUTES } from '#contract/mails.ts'
import { MINUTE } from '#contract/time.ts'
import { mailDomain } from '#server/house/config/door-settings.ts'
import { unseal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'
import { keepDemoMail } from './demo-mail-queries.ts'
import { maskAddress } from './mask-address.ts'
import { type Letter, MailRefused, type Smtp } from './smtp.ts'

/** `smtp` is null in a demo without a mail server. */
export type MailOutlet = { renderer: MailRenderer; smtp: Smtp | null }

/**
 * Sends a queued mail. Throws, and is then retried with the same Message-ID, until the mail server accepts or refuses
 * it. `sent` is called once the server has accepted it.
 */
export async function sendMail(
  ctx: Context,
  outlet: MailOutlet & { sent: () => Promise<void> },
  payload: unknown,
): Promise<void> {
  const queued = readQueuedMail(ctx, payload)
  const to = maskAddress(queued.to)
  const { kind } = queued.mail
  if (isUseless(queued, ctx.clock.now())) {
    ctx.log.warn({ to, kind }, 'a mail could not be sent before it was of no use')
    return
  }
  const letter = await writeLetter(ctx, outlet.renderer, { queued, payload })
  if (ctx.config.demo) await keepDemoMail(ctx.db, letter)
  if (outlet.smtp === null) {
    if (!ctx.config.demo) throw new Error('there is no SMTP_URL to send mails by')
    return
  }
  try {
    await outlet.smtp.send(letter)
    // `sent` runs in the background, because its failure must not send the mail again.
    ctx.background.run('note that mails go out', outlet.sent)
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error
    ctx.log.warn({ to, kind, reply: error.reply }, 'a mail was refused for good')
  }
}

async function writeLetter(
  ctx: Context,
  renderer: MailRenderer,
  { queued, payload }: { queued: QueuedMail; payload: unknown },
): Promise<Letter> {
  const { config } = ctx
  const { mail, locale, to, queuedAt } = queued
  const rendered = await renderer.renderMail({ mail, locale, publicUrl: config.publicUrl.origin })
  // The hash of the encrypted payload is the message id, because it is unique and constant over retries.
  const id = createHash('sha256').update(JSON.stringify(payload)).digest('hex').slice(0, 32)
  return {
    ...rendered,
    messageId: `<${id}@${mailDomain(config.publicUrl)}>`,
    from: config.mailFrom,
    to,
    sentAt: queuedAt,
  }
}

/** Returns true if the mail has become useless: an expired code or a late warning would only confuse. */
function isUseless({ mail, queuedAt }: QueuedMail, now: Date): boolean {
  if ('until' in mail) return now >= new Date(mail.until)
  const minutes = lifetimeMinutes(mail.kind)
  return minutes !== null && now.getTime() - queuedAt.getTime() >= minutes * MINUTE
}

function lifetimeMinutes(kind: Mail['kind']): number | null {
  switch (kind) {
    case 'verify-email':
    case 'link-email':
      return MAIL_CODE_MINUTES
    case 'reset-password':
      return RESET_LINK_MINUTES
    default:
      return null
  }
}

export type QueuedMail = { to: string; locale: Locale; mail: Mail; queuedAt: Date }

/** Decrypts the payload of a queued mail. Throws if no key opens the payload. */
export function readQueuedMail(ctx: Pick<Context, 'secrets'>, payload: unknown): QueuedMail {
  if (typeof payload !== 'object' || payload === null) throw new Error('a queued mail is not an object')
  const { value } = unseal({ ...payload }, [ctx.secrets.secretKey, ...ctx.secrets.previousSecretKeys])
  const { to, mail, queuedAt } = value
  const locale = LOCALES.find((one) => one === value.locale)
  if (typeof to !== 'string' || typeof mail !== 'object' || mail === null || locale === undefined) {
    throw new Error('a queued mail is incomplete')
  }
  // The cast is safe: only queueMail can have written an encrypted payload.
  return { to, locale, mail: mail as Mail, queuedAt: new Date(String(queuedAt)) }
}
