import type { Telegram, TelegramLink } from '#contract/telegram/chat.ts'

export type TelegramCalls = {
  'GET /api/v1/telegram': { input: object; reply: Telegram }
  'POST /api/v1/telegram/link': { input: { codes: boolean }; reply: TelegramLink }
  'PATCH /api/v1/telegram': { input: { codes: boolean }; reply: Telegram }
  'DELETE /api/v1/telegram': { input: object; reply: Telegram }
  'POST /api/v1/telegram/reward': { input: object; reply: Telegram }
}
