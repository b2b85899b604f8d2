import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { type BoundedCache, boundedCache } from '#server/bounded-cache.ts'
import type { Context } from '#server/context.ts'
import type { Bot } from '#server/telegram/bot.ts'

/** Each has places of its own, so that a code never stands behind notices. */
export type Lane = 'code' | 'notice' | 'reply'

/** Telegram takes about one message a second for a chat, and a short burst, such as a list of numbers. */
const MESSAGE_MS = SECOND
const BURST = 5
/** Whoever would wait longer for a place is of no use by then. */
const LONGEST_WAIT_MS: Record<Lane, number> = { code: 20 * MINUTE, notice: DAY, reply: 30 * SECOND }
const LONGEST_CHAT_PAUSE_MS = HOUR
const LONGEST_BOT_PAUSE_MS = MINUTE
const MAX_CHATS = 50_000

/** Times in ms. `fullAt`: when the burst is whole again. `lanes`: the last place given away. */
type Chat = { fullAt: number; pausedUntil: number; lanes: Record<Lane, number> }
type Pace = {
  chats: BoundedCache<bigint, Chat>
  pausedUntil: number
  /** The chat that was limited last, and how long a second one makes it the whole bot's matter. */
  limited: { chatId: bigint; until: number } | null
}

const paces = new WeakMap<Bot, Pace>()

/**
 * 0: send now. Otherwise the ms until a place that is kept for one message of this lane, which asks again then. null: there is
 * none in useful time.
 */
export function takeTurn(ctx: Context, bot: Bot, { chatId, lane }: { chatId: bigint; lane: Lane }): number | null {
  if (takeTurnNow(ctx, bot, chatId)) return 0
  const now = ctx.clock.now().getTime()
  const pace = paceOf(bot)
  const chat = chatOf(pace, chatId)
  const longest = LONGEST_WAIT_MS[lane]
  // No time is further away, unless the clock was set back.
  const waitMs = Math.max(freeAtOf(pace, chat, now), Math.min(chat.lanes[lane], now + longest) + MESSAGE_MS) - now
  if (waitMs > longest) return null
  chat.lanes[lane] = now + waitMs
  return waitMs
}

/** For what is not done later. False: not now. */
export function takeTurnNow(ctx: Context, bot: Bot, chatId: bigint): boolean {
  const now = ctx.clock.now().getTime()
  const pace = paceOf(bot)
  const chat = chatOf(pace, chatId)
  if (freeAtOf(pace, chat, now) > now) return false
  chat.fullAt = Math.max(chat.fullAt, now) + MESSAGE_MS
  return true
}

/** After 429: the chat pauses. One chat can be flooded by its own person; only a second one shows that the bot is meant. */
export function noteLimit(ctx: Context, bot: Bot, { chatId, retryAfterMs }: { chatId: bigint; retryAfterMs: number }) {
  const now = ctx.clock.now().getTime()
  const pace = paceOf(bot)
  chatOf(pace, chatId).pausedUntil = now + Math.min(retryAfterMs, LONGEST_CHAT_PAUSE_MS)
  const until = now + Math.min(retryAfterMs, LONGEST_BOT_PAUSE_MS)
  const { limited } = pace
  if (limited !== null && limited.chatId !== chatId && now < limited.until) pace.pausedUntil = until
  pace.limited = { chatId, until }
}

function freeAtOf(pace: Pace, chat: Chat, now: number): number {
  // As above: a clock that was set back stops nobody for longer than these.
  return Math.max(
    Math.min(chat.fullAt - (BURST - 1) * MESSAGE_MS, now + MESSAGE_MS),
    Math.min(chat.pausedUntil, now + LONGEST_CHAT_PAUSE_MS),
    Math.min(pace.pausedUntil, now + LONGEST_BOT_PAUSE_MS),
  )
}

function paceOf(bot: Bot): Pace {
  const pace = paces.get(bot) ?? { chats: boundedCache<bigint, Chat>(MAX_CHATS), pausedUntil: 0, limited: null }
  paces.set(bot, pace)
  return pace
}

function chatOf({ chats }: Pace, chatId: bigint): Chat {
  const chat = chats.get(chatId) ?? { fullAt: 0, pausedUntil: 0, lanes: { code: 0, notice: 0, reply: 0 } }
  chats.set(chatId, chat)
  return chat
}
