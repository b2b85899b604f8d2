import { LOCALES, type Locale } from '#contract/constants.ts'
import type { Mail } from '#contract/mails.ts'
import { unseal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'

export type QueuedMail = { to: string; locale: Locale; mail: Mail; queuedAt: Date }

/** Throws if no key opens the payload. */
export function readQueuedMail(ctx: Pick<Context, 'secrets'>, payload: unknown): QueuedMail {
  if (typeof payload !== 'object' || payload === null) throw new Error('a queued mail is not an object')
  const { value } = unseal({ ...payload }, [ctx.secrets.secretKey, ...ctx.secrets.previousSecretKeys])
  const { to, mail, queuedAt } = value
  const locale = LOCALES.find((one) => one === value.locale)
  if (typeof to !== 'string' || typeof mail !== 'object' || mail === null || locale === undefined) {
    throw new Error('a queued mail is incomplete')
  }
  // The cast is safe: the seal proves that queueMail wrote the payload.
  return { to, locale, mail: mail as Mail, queuedAt: new Date(String(queuedAt)) }
}
