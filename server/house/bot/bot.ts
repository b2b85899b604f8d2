import { Api, type ApiClientOptions, GrammyError, HttpError } from 'grammy'
import type { InlineKeyboardMarkup, Message, Update } from 'grammy/types'
import { KIBIBYTE, SECOND } from '#contract/time.ts'
import { AnswerTooLong, boundedFetch } from '#server/house/bounded-fetch.ts'
import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'

/**
 * The kinds of failed calls to Telegram:
 * - `limited`: Telegram limits our calls, so the call may be repeated only after `retryAfterMs`.
 * - `down`: Telegram did not process the call, so the call may be repeated.
 * - `silent`: no answer arrived, so Telegram may have processed the call.
 * - `refused`: Telegram refused the call for good. Status 403 means that the person blocks the bot.
 * - `too-long`: Telegram's reply exceeds our size limit. `updateId` is the first update in that reply.
 */
type Failure =
  | { kind: 'limited'; retryAfterMs: number }
  | { kind: 'down' }
  | { kind: 'silent' }
  | { kind: 'refused'; status: number }
  | { kind: 'too-long'; updateId: number | null }

/** The message of a BotError never holds the token, although every address of Telegram's API contains it. */
export class BotError extends Error {
  override name = 'BotError'
  readonly failure: Failure

  constructor(method: string, failure: Failure, words: string) {
    super(`${method}: ${words}`)
    this.failure = failure
  }
}

export type Keyboard = InlineKeyboardMarkup
export type Outgoing = { chatId: bigint; html: string; keyboard?: Keyboard }

export type Bot = {
  getUpdates(from: { offset: number | null; limit: number }, signal: AbortSignal): Promise<Update[]>
  setWebhook(webhook: { url: string; secret: string } | null): Promise<void>
  send(message: Outgoing): Promise<Message>
  setKeyboard(message: { chatId: bigint; messageId: number; keyboard: Keyboard | null }): Promise<void>
  answerPress(pressId: string, text: string): Promise<void>
  isMember(channel: string, personId: bigint): Promise<boolean>
}

const CALL_TIMEOUT_MS = 10 * SECOND
const ANSWER_BYTES = 256 * KIBIBYTE
export const POLL_SECONDS = 25
/**
 * The limits of one request for updates. A single update may have hundreds of kilobytes, with formatting and quotes.
 */
const POLL_LIMITS = { timeoutMs: (POLL_SECONDS + 10) * SECOND, maxBytes: 16_384 * KIBIBYTE }
const UPDATES = ['message', 'callback_query'] as const
const MEMBERS = ['creator', 'administrator', 'member']

export function createBot(given: { token: string; apiRoot: string; timeoutMs?: number }): Bot {
  const { token, apiRoot, timeoutMs = CALL_TIMEOUT_MS } = given
  const fetch = fetchWithin({ timeoutMs, maxBytes: ANSWER_BYTES })
  const { raw } = new Api(token, { apiRoot, fetch })
  return {
    getUpdates: ({ offset, limit }, signal) =>
      told('getUpdates', () =>
        raw.getUpdates(
          {
            timeout: POLL_SECONDS,
            limit,
            allowed_updates: UPDATES,
            ...(offset !== null && { offset }),
          },
          // The cast is safe: grammY's type of a signal comes from a polyfill of the same shape.
          signal as Parameters<typeof raw.getUpdates>[1],
        ),
      ),
    async setWebhook(webhook) {
      if (webhook === null) await told('deleteWebhook', () => raw.deleteWebhook({}))
      else {
        const { url, secret: secret_token } = webhook
        await told('setWebhook', () => raw.setWebhook({ url, secret_token, allowed_updates: UPDATES }))
      }
    },
    send: ({ chatId, html, keyboard }) =>
      told('sendMessage', () =>
        raw.sendMessage({
          chat_id: Number(chatId),
          text: html,
          parse_mode: 'HTML',
          link_preview_options: { is_disabled: true },
          ...(keyboard !== undefined && { reply_markup: keyboard }),
        }),
      ),
    async setKeyboard({ chatId, messageId, keyboard }) {
      const reply_markup = keyboard ?? { inline_keyboard: [] }
      await told('editMessageReplyMarkup', () =>
        raw.editMessageReplyMarkup({ chat_id: Number(chatId), message_id: messageId, reply_markup }),
      )
    },
    async answerPress(callback_query_id, text) {
      await told('answerCallbackQuery', () => raw.answerCallbackQuery({ callback_query_id, text }))
    },
    async isMember(channel, personId) {
      const member = await knownMember(() => raw.getChatMember({ chat_id: `@${channel}`, user_id: Number(personId) }))
      if (member === null) return false
      return MEMBERS.includes(member.status) || (member.status === 'restricted' && member.is_member)
    },
  }
}

const UNKNOWN_THERE = /user not found|participant_id_invalid|user_id_invalid/i

async function knownMember<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await told('getChatMember', call)
  } catch (error) {
    if (error instanceof BotError && error.failure.kind === 'refused' && UNKNOWN_THERE.test(error.message)) return null
    throw error
  }
}

async function told<T>(method: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw toBotError(method, error)
  }
}

function toBotError(method: string, error: unknown): BotError {
  if (error instanceof GrammyError) {
    const { error_code: status, description, parameters } = error
    if (status === 429) {
      const retryAfterMs = (parameters.retry_after ?? 1) * SECOND
      return new BotError(method, { kind: 'limited', retryAfterMs }, `asked to wait ${retryAfterMs} ms`)
    }
    return new BotError(
      method,
      status >= 500 ? { kind: 'down' } : { kind: 'refused', status },
      `${status} ${description}`,
    )
  }
  const cause = error instanceof HttpError ? error.error : error
  if (cause instanceof AnswerTooLong) {
    const id = FIRST_UPDATE.exec(cause.head)?.[1]
    return new BotError(method, { kind: 'too-long', updateId: id === undefined ? null : Number(id) }, cause.message)
  }
  const code = codeOf(cause)
  return new BotError(method, NEVER_SENT.has(code) ? { kind: 'down' } : { kind: 'silent' }, code)
}

const FIRST_UPDATE = /"update_id":\s*(\d{1,15})\b/

const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** Returns a short code of an error. The error's own message contains the URL, which includes the bot's token. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : error.name
}

type Wanted = { method: string; headers: HeadersInit; body: string; signal: EventTarget }

/** Returns a limited fetch for grammY, whose own fetch limits no reply and follows redirects with the token. */
function fetchWithin(limits: { timeoutMs: number; maxBytes: number }): ApiClientOptions['fetch'] {
  const answerOf = async (url: string, { method, headers, body, signal }: Wanted) => {
    const aborted = new AbortController()
    signal.addEventListener('abort', () => aborted.abort())
    const init = { method, headers, body, signal: aborted.signal }
    const response = await boundedFetch(url, init, url.endsWith('/getUpdates') ? POLL_LIMITS : limits)
    if (response.headers.get('content-type')?.includes('json') === true) return response
    // A proxy between us and Telegram may answer in HTML instead of JSON.
    return Response.json({ ok: false, error_code: response.status, description: 'no JSON' })
  }
  // The cast is safe: grammY calls the function like this and reads only `json()`. The declared type is of node-fetch.
  return answerOf as unknown as ApiClientOptions['fetch']
}

export const telegramOf = perContext(
  'telegram bot',
  { scope: 'process', nodes: 'own', lost: 'nothing: it is made from the settings' },
  ({ config, secrets }: Pick<Context, 'config' | 'secrets'>): { bot: Bot | null } => {
    const token = secrets.telegramToken
    return { bot: config.telegram === null || token === null ? null : createBot({ ...config.telegram, token }) }
  },
)
