import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { MailRenderer } from '#contract/mails.ts'
import type { MailOutlet } from '#server/house/mail/send-mail.ts'
import { openSmtp } from '#server/house/mail/smtp.ts'

const BUNDLE = join(import.meta.dirname, '../../../dist/server/entry-mails.js')

/** Loads the mail templates. Throws if they are not built. The mail server is not contacted before the first mail. */
export async function loadMails(smtpUrl: string | null): Promise<MailOutlet & AsyncDisposable> {
  await access(BUNDLE).catch(() => {
    throw new Error(`The mails are not built: ${BUNDLE} is missing. Run "npm run build".`)
  })
  // TypeScript cannot check the type of the built bundle, so web/entry-mails.test.ts checks it.
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
