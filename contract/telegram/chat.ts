import { z } from 'zod'

/** The reward is open to all who join the channel (`join`), or given; the other states name what is missing. */
export const REWARD_STATES = ['join', 'not-linked', 'too-young', 'needs-top-up', 'given'] as const

export const telegramSchema = z.object({
  status: z.literal(true),
  /** The bot's name without `@`; null if the site has no bot, so that pages show nothing about it. */
  bot: z.string().nullable(),
  /** The connected chat, or null. `blocked` means that the person blocks the bot, so nothing is sent. */
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
      /** From this time on an account that is too young now may have the reward. */
      from: z.iso.datetime().nullable(),
    })
    .nullable(),
})
export type Telegram = z.infer<typeof telegramSchema>

/** `codes` sends the messages of numbers to the chat, too. */
export const telegramChoiceSchema = z.object({ codes: z.boolean() })
/** A link of t.me that connects a chat. The link works once. */
export const telegramLinkSchema = z.object({ status: z.literal(true), url: z.string(), expires_at: z.iso.datetime() })
export type TelegramLink = z.infer<typeof telegramLinkSchema>
