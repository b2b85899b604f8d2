import { sentMails } from '#test/builders/mails.ts'
import type { TestApp } from '#test/harness/harness.ts'

export const GOOD_PASSWORD = 'correct horse battery'

/** A form that is right. */
export function form(email: string, changes: Record<string, unknown> = {}) {
  const password = GOOD_PASSWORD
  return { email, password, password_confirmation: password, agree: true, ...changes }
}

/** What was mailed to an address, oldest first, without the time. */
export async function mailsTo(t: TestApp, address: string) {
  const mails = await sentMails(t)
  return mails.filter(({ to }) => to === address).map(({ mail, locale }) => ({ locale, ...mail }))
}

/** The code of the newest mail to an address. */
export async function codeFor(t: TestApp, address: string): Promise<string> {
  const mail = (await mailsTo(t, address)).at(-1)
  if (mail === undefined || !('code' in mail)) throw new Error(`no code was mailed to ${address}`)
  return mail.code
}

/** Another code than this one. */
export function wrongCodeFor(code: string): string {
  return code === '000000' ? '000001' : '000000'
}

export const credentials = ({ email, password }: { email: string; password: string }) => ({ email, password })
