import { z } from 'zod'

/** Where a reward stands: `join` is open to whoever joins the channel; the others say what is missing, or that it was given. */
export const REWARD_STATES = ['join', 'not-linked', 'too-young', 'needs-top-up', 'given'] as const

export const telegramSchema = z.object({
  status: z.literal(true),
  /** Without `@`; null: there is no bot, and nothing of it is shown. */
  bot: z.string().nullable(),
  /** null: no chat is connected. `blocked`: its person blocks the bot, so nothing is sent. */
  chat: z
    .object({ name: z.string(), linked_at: z.iso.datetime(), codes: z.boolean(), blocked: z.boolean() })
    .nullable(),
  /** null: none is promised in the currency of the account. `amount` is a decimal string. */
  reward: z
    .object({
      state: z.enum(REWARD_STATES),
      amount: z.string(),
      channel: z.string(),
      url: z.string(),
      /** From when an account that is too young may have it. */
      from: z.iso.datetime().nullable(),
    })
    .nullable(),
})
export type Telegram = z.infer<typeof telegramSchema>

/** `codes`: messages of numbers go to the chat, too. */
export const telegramChoiceSchema = z.object({ codes: z.boolean() })
/** A link of t.me, good once. */
export const telegramLinkSchema = z.object({ status: z.literal(true), url: z.string(), expires_at: z.iso.datetime() })
export type TelegramLink = z.infer<typeof telegramLinkSchema>
