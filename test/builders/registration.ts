import { sentMails } from '#test/builders/mails.ts'
import type { TestApp } from '#test/harness/harness.ts'

export const GOOD_PASSWORD = 'correct horse battery'

export function form(email: string, changes: Record<string, unknown> = {}) {
  const password = GOOD_PASSWORD
  return { email, password, password_confirmation: password, agree: true, ...changes }
}

export async function mailsTo(t: TestApp, address: string) {
  const mails = await sentMails(t)
  return mails.filter(({ to }) => to === address).map(({ mail, locale }) => ({ locale, ...mail }))
}

export async function codeFor(t: TestApp, address: string): Promise<string> {
  const mail = (await mailsTo(t, address)).at(-1)
  if (mail === undefined || !('code' in mail)) throw new Error(`no code was mailed to ${address}`)
  return mail.code
}

export function wrongCodeFor(code: string): string {
  return code === '000000' ? '000001' : '000000'
}

export const credentials = ({ email, password }: { email: string; password: string }) => ({ email, password })
