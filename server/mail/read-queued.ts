import { LOCALES, type Locale } from '#contract/constants.ts'
import type { Mail } from '#contract/mails.ts'
import { unseal } from '#server/config/secret-key.ts'
import type { Context } from '#server/context.ts'

/** A mail that waits to be sent. */
export type QueuedMail = { to: string; locale: Locale; mail: Mail; queuedAt: Date }

/** Opens the payload of a job 'send-mail'. Throws when no key of ours opens it. */
export function readQueuedMail(ctx: Pick<Context, 'secretKey' | 'previousSecretKeys'>, payload: unknown): QueuedMail {
  if (typeof payload !== 'object' || payload === null) throw new Error('a queued mail is not an object')
  const { value } = unseal({ ...payload }, [ctx.secretKey, ...ctx.previousSecretKeys])
  const { to, mail, queuedAt } = value
  const locale = LOCALES.find((one) => one === value.locale)
  if (typeof to !== 'string' || typeof mail !== 'object' || mail === null || locale === undefined) {
    throw new Error('a queued mail is incomplete')
  }
  // Sealed by queueMail, and the seal proves it: it is a mail.
  return { to, locale, mail: mail as Mail, queuedAt: new Date(String(queuedAt)) }
}
