import { z } from 'zod'
import type { Locale } from '#contract/constants.ts'

/** The stored part of an update. The chat is private, so its id is the id of its person. */
export type Incoming = { updateId: number } & (
  | { kind: 'text'; telegramId: number; name: string; locale: Locale; text: string }
  | {
      kind: 'press'
      telegramId: number
      name: string
      locale: Locale
      pressId: string
      messageId: number
      data: string
    }
  | { kind: 'other' }
)

const idSchema = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const personSchema = z.object({
  id: idSchema,
  first_name: z.string().default(''),
  username: z.string().optional(),
  language_code: z.string().optional(),
})
const chatSchema = z.object({ id: z.number().int(), type: z.string() })
const updateSchema = z.object({
  update_id: z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER),
  message: z.object({ chat: chatSchema, from: personSchema.optional(), text: z.string().optional() }).optional(),
  callback_query: z
    .object({
      id: z.string().min(1).max(100),
      from: personSchema,
      data: z.string().max(64).optional(),
      message: z.object({ message_id: idSchema, chat: chatSchema }).optional(),
    })
    .optional(),
})

const MAX_TEXT_LENGTH = 200
const MAX_NAME_LENGTH = 64

/**
 * Parses an update. Returns null if the body is no update. An update that the bot does not use becomes `other`, so that
 * Telegram does not resend it.
 */
export function readUpdate(raw: unknown): Incoming | null {
  const parsed = updateSchema.safeParse(raw)
  if (!parsed.success) return readId(raw)
  const { update_id: updateId, message, callback_query: press } = parsed.data
  if (message?.text !== undefined && isOwnChat(message.chat, message.from)) {
    const { from, text } = message
    return { updateId, kind: 'text', ...personOf(from), text: tidy(text, MAX_TEXT_LENGTH) }
  }
  if (press?.data !== undefined && press.message !== undefined && isOwnChat(press.message.chat, press.from)) {
    const { message_id: messageId } = press.message
    return { updateId, kind: 'press', ...personOf(press.from), pressId: press.id, messageId, data: press.data }
  }
  return { updateId, kind: 'other' }
}

function readId(raw: unknown): Incoming | null {
  const parsed = updateSchema.pick({ update_id: true }).safeParse(raw)
  return parsed.success ? { updateId: parsed.data.update_id, kind: 'other' } : null
}

type Person = z.output<typeof personSchema>

function isOwnChat(chat: z.output<typeof chatSchema>, from: Person | undefined): from is Person {
  return chat.type === 'private' && chat.id === from?.id
}

function personOf(from: Person) {
  return { telegramId: from.id, name: nameOf(from), locale: localeOf(from) }
}

/** Returns the language of a person without an account. A linked member has chosen a language on the site. */
function localeOf({ language_code: language }: Person): Locale {
  return language?.startsWith('ru') === true ? 'ru' : 'en'
}

function nameOf({ username, first_name: first }: Person): string {
  return tidy(username === undefined ? first : `@${username}`, MAX_NAME_LENGTH)
}

/** Removes NUL and lone surrogates, which PostgreSQL refuses. */
function tidy(text: string, length: number): string {
  return text.replaceAll('\0', '').slice(0, length).toWellFormed()
}
