import type { Api } from '#contract/calls/calls.ts'
import { withCaptcha } from './with-captcha.ts'

export async function askResetLink(api: Api, email: string): Promise<void> {
  await withCaptcha(api, (solved) => api('POST /api/forgot-password', { email, ...solved }))
}
