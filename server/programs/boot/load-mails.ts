import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { MailRenderer } from '#contract/mails.ts'
import type { MailOutlet } from '#server/house/mail/send-mail.ts'
import { openSmtp } from '#server/house/mail/smtp.ts'

const BUNDLE = join(import.meta.dirname, '../../../dist/server/entry-mails.js')

/** Throws if the templates are not built. The mail server is contacted only to send. */
export async function loadMails(smtpUrl: string | null): Promise<MailOutlet & AsyncDisposable> {
  await access(BUNDLE).catch(() => {
    throw new Error(`The mails are not built: ${BUNDLE} is missing. Run "npm run build".`)
  })
  // web/entry-mails.test.ts checks the bundle against this type.
  const renderer: MailRenderer = await import(pathToFileURL(BUNDLE).href)
  const smtp = smtpUrl === null ? null : await openSmtp(smtpUrl)
  return {
    renderer,
    smtp,
    async [Symbol.asyncDispose]() {
      await smtp?.[Symbol.asyncDispose]()
    },
  }
}
