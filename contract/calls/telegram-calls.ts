import { telegramChoiceSchema, telegramLinkSchema, telegramSchema } from '#contract/telegram/chat.ts'
import { type DeclaredCalls, nothing, SESSION } from './call.ts'

export const telegram = {
  state: { key: 'GET /api/v1/telegram', who: SESSION, input: nothing, reply: telegramSchema },
  link: { key: 'POST /api/v1/telegram/link', who: SESSION, input: telegramChoiceSchema, reply: telegramLinkSchema },
  change: { key: 'PATCH /api/v1/telegram', who: SESSION, input: telegramChoiceSchema, reply: telegramSchema },
  unlink: { key: 'DELETE /api/v1/telegram', who: SESSION, input: nothing, reply: telegramSchema },
  claimReward: { key: 'POST /api/v1/telegram/reward', who: SESSION, input: nothing, reply: telegramSchema },
} as const satisfies DeclaredCalls
