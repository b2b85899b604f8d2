import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { listenOnLoopback } from '#test/fakes/loopback-server.ts'

export const TELEGRAM_TOKEN = '123456:AAE-a_token_of_a_bot_as_botfather_gives_it'

const keyboardSchema = z.strictObject({
  inline_keyboard: z.array(
    z.array(z.strictObject({ text: z.string().min(1).max(64), callback_data: z.string().min(1).max(64) })).min(1),
  ),
})
const chatId = z.number().int().positive()
/** The calls of the Bot API that the service may make. Any other call is a fault. */
const CALLS = {
  getUpdates: z.strictObject({
    offset: z.number().int().optional(),
    timeout: z.number().int().max(50),
    limit: z.number().int().max(100),
    allowed_updates: z.array(z.string()),
  }),
  setWebhook: z.strictObject({
    url: z.url(),
    allowed_updates: z.array(z.string()),
    secret_token: z.string().regex(/^[\w-]{32,256}$/),
  }),
  deleteWebhook: z.strictObject({}),
  sendMessage: z.strictObject({
    chat_id: chatId,
    text: z.string().min(1).max(4096),
    parse_mode: z.literal('HTML'),
    link_preview_options: z.strictObject({ is_disabled: z.literal(true) }),
    reply_markup: keyboardSchema.optional(),
  }),
  editMessageReplyMarkup: z.strictObject({
    chat_id: chatId,
    message_id: z.number().int().positive(),
    reply_markup: keyboardSchema,
  }),
  answerCallbackQuery: z.strictObject({ callback_query_id: z.string().min(1), text: z.string().max(200) }),
  getChatMember: z.strictObject({ chat_id: z.string().regex(/^@\w+$/), user_id: chatId }),
}
type Method = keyof typeof CALLS
type Sent = { chatId: number; text: string; buttons: string[] }

/** Plays Telegram's Bot API, and checks requests. `misbehave` replaces the normal answer. */
export type TelegramHouse = AsyncDisposable & {
  url: string
  environment: Record<string, string>
  faults: string[]
  calls: { method: Method; input: Record<string, unknown> }[]
  /** The messages that the bot sent. `buttons` holds the data of their buttons. */
  sent: Sent[]
  keyboards: unknown[]
  answers: string[]
  updates: Record<string, unknown>[]
  webhook: { url: string; secret_token: string } | null
  /** Each person's channel membership, as `getChatMember` reports it. */
  members: Map<number, string>
  blockedBy: Set<number>
  /**
   * Handles a request in place of the fake. Returns true if it has answered the request or lets it hang, else false.
   */
  misbehave: ((method: Method, reply: ServerResponse) => boolean) | null
  /** Adds an update for the bot, which waits until it is polled or sent to the webhook. */
  write(person: number, words: string, more?: object): Record<string, unknown>
  press(person: number, data: string, more?: object): Record<string, unknown>
}

export async function openTelegramHouse(more: Record<string, string> = {}): Promise<TelegramHouse> {
  let updateId = 700
  let messageId = 40
  const closing = new AbortController()
  const server = await listenOnLoopback((request, reply) => {
    answer(request, reply).catch((error: unknown) => {
      house.faults.push(String(error))
      reply.destroy()
    })
  })
  const put = (update: object) => {
    updateId += 1
    const whole = { update_id: updateId, ...update }
    house.updates.push(whole)
    return whole
  }
  const house: TelegramHouse = {
    url: server.url,
    environment: {
      TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN,
      TELEGRAM_BOT_NAME: 'ringpost_bot',
      TELEGRAM_API_ROOT: server.url,
      ...more,
    },
    faults: [],
    calls: [],
    sent: [],
    keyboards: [],
    answers: [],
    updates: [],
    webhook: null,
    members: new Map(),
    blockedBy: new Set(),
    misbehave: null,
    write: (person, words, extra = {}) => put({ message: { ...messageOf(person), text: words, ...extra } }),
    press(person, data, extra = {}) {
      const message = { ...messageOf(person), message_id: messageId }
      return put({ callback_query: { id: `press-${updateId}`, from: message.from, data, message, ...extra } })
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await server[Symbol.asyncDispose]()
    },
  }

  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const method = request.url?.replace(`/bot${TELEGRAM_TOKEN}/`, '') ?? ''
    const body: unknown = JSON.parse(await text(request))
    if (request.method !== 'POST' || !isMethod(method)) {
      house.faults.push(`${request.method} ${method}`)
      return refuse(reply, 404, 'Not Found')
    }
    const checked = CALLS[method].safeParse(body)
    if (!checked.success) {
      house.faults.push(`${method}: ${checked.error.message}`)
      return refuse(reply, 400, 'Bad Request')
    }
    house.calls.push({ method, input: checked.data })
    if (house.misbehave?.(method, reply) === true) return
    await does(method, checked.data, reply)
  }

  async function does(method: Method, input: Record<string, unknown>, reply: ServerResponse): Promise<void> {
    switch (method) {
      case 'getUpdates':
        if (house.webhook !== null)
          return refuse(reply, 409, 'Conflict: can not use getUpdates while webhook is active')
        house.updates = house.updates.filter((update) => Number(update.update_id) >= Number(input.offset ?? 0))
        return tell(reply, house.updates.slice(0, Number(input.limit)))
      case 'setWebhook':
      case 'deleteWebhook':
        house.webhook = method === 'deleteWebhook' ? null : (input as TelegramHouse['webhook'])
        return tell(reply, true)
      case 'sendMessage':
        if (house.blockedBy.has(Number(input.chat_id)))
          return refuse(reply, 403, 'Forbidden: bot was blocked by the user')
        house.sent.push({ chatId: Number(input.chat_id), text: String(input.text), buttons: buttonsOf(input) })
        if (input.reply_markup !== undefined)
          house.keyboards.push(keyboardSchema.parse(input.reply_markup).inline_keyboard)
        messageId += 1
        return tell(reply, { ...messageOf(Number(input.chat_id)), message_id: messageId, text: input.text })
      case 'editMessageReplyMarkup':
        return tell(reply, { ...messageOf(Number(input.chat_id)), message_id: input.message_id })
      case 'answerCallbackQuery':
        house.answers.push(String(input.text))
        return tell(reply, true)
      case 'getChatMember': {
        const status = house.members.get(Number(input.user_id))
        if (status === undefined) return refuse(reply, 400, 'Bad Request: user not found')
        return tell(reply, { status, user: { id: input.user_id }, is_member: status === 'restricted' })
      }
      default:
        return method satisfies never
    }
  }
  return house
}

function isMethod(name: string): name is Method {
  return Object.hasOwn(CALLS, name)
}

function messageOf(person: number) {
  const chat = { id: person, type: 'private', first_name: 'Anna' }
  return { message_id: 1, date: 0, chat, from: { id: person, is_bot: false, first_name: 'Anna', language_code: 'en' } }
}

function buttonsOf(input: Record<string, unknown>): string[] {
  const keyboard = keyboardSchema.safeParse(input.reply_markup)
  return keyboard.success ? keyboard.data.inline_keyboard.flat().map((button) => button.callback_data) : []
}

function tell(reply: ServerResponse, result: unknown): void {
  reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, result }))
}

/** Answers a call with an error as Telegram's Bot API does. `retry_after` is in seconds. */
export function refuse(reply: ServerResponse, error_code: number, description: string, retry_after?: number): void {
  const parameters = retry_after === undefined ? {} : { parameters: { retry_after } }
  reply
    .writeHead(error_code, { 'content-type': 'application/json' })
    .end(JSON.stringify({ ok: false, error_code, description, ...parameters }))
}

/** Leaves a request without an answer. Resolves when the client gives up. */
export async function hangUp(reply: ServerResponse): Promise<void> {
  await once(reply, 'close')
}
