import type { Api } from '#contract/calls/calls.ts'
import { withRiddle } from './with-riddle.ts'

export async function askResetLink(api: Api, email: string): Promise<void> {
  await withRiddle(api, (solved) => api('POST /api/forgot-password', { email, ...solved }))
}
