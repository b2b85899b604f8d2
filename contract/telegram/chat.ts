import { z } from 'zod'

/** In `join` joining the channel earns the reward. In `given` it was paid. Other states name what is missing. */
export const REWARD_STATES = ['join', 'not-linked', 'too-young', 'needs-top-up', 'given'] as const

export const telegramSchema = z.object({
  status: z.literal(true),
  /** The bot's name without `@`; null if the site has no bot. */
  bot: z.string().nullable(),
  /** The connected chat, or null. `blocked` means that the person blocks the bot, so the bot sends nothing. */
  chat: z
    .object({ name: z.string(), linked_at: z.iso.datetime(), codes: z.boolean(), blocked: z.boolean() })
    .nullable(),
  /** The reward; null if none is promised in the currency of the account. `amount` is a decimal string. */
  reward: z
    .object({
      state: z.enum(REWARD_STATES),
      amount: z.string(),
      channel: z.string(),
      url: z.string(),
      /** The time from which the account, too young now, may get the reward. */
      from: z.iso.datetime().nullable(),
    })
    .nullable(),
})
export type Telegram = z.infer<typeof telegramSchema>

/** `codes` is true if the bot also sends the messages that the member's numbers receive. */
export const telegramChoiceSchema = z.object({ codes: z.boolean() })
/** `url` is a t.me link that connects a chat and works once. */
export const telegramLinkSchema = z.object({ status: z.literal(true), url: z.string(), expires_at: z.iso.datetime() })
export type TelegramLink = z.infer<typeof telegramLinkSchema>
