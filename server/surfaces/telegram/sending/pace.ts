import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { type BoundedCache, boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { perContext } from '#server/house/memory.ts'

/** The kind of a message. Each kind has a queue of its own, so that a code never waits behind notices. */
export type Lane = 'code' | 'notice' | 'reply'

/** The time between messages of a chat. Telegram accepts one a second, and short bursts such as a list of numbers. */
const MESSAGE_MS = SECOND
const BURST = 5
/** Whichever nodes send, Telegram counts their messages to a chat together. */
const perChat = createRateLimit({ name: 'messages to a Telegram chat', burst: BURST, refillMs: MESSAGE_MS })
/**
 * The longest time that a message may wait for its turn. A message that would wait longer is of no use, so it is
 * dropped.
 */
const LONGEST_WAIT_MS: Record<Lane, number> = { code: 20 * MINUTE, notice: DAY, reply: 30 * SECOND }
const LONGEST_CHAT_PAUSE_MS = HOUR
const LONGEST_BOT_PAUSE_MS = MINUTE
/**
 * The pauses during an outage of Telegram, after which one message tests for all whether Telegram works again. The
 * pause grows to half the length of the outage.
 */
const SHORTEST_OUTAGE_PAUSE_MS = 2 * SECOND
const LONGEST_OUTAGE_PAUSE_MS = 30 * SECOND
/** The maximum number of waiting messages of one kind for one chat, as many as can be sent in twenty minutes. */
const MOST_WAITING = 1_200
/** The longest time until the turn of any waiting message, by the kind of message. */
export const LONGEST_SLOT_MS: Record<Lane, number> = {
  ...LONGEST_WAIT_MS,
  notice: LONGEST_CHAT_PAUSE_MS + MOST_WAITING * MESSAGE_MS,
}
/** A message counts as dropped if it has not asked again this long after its turn. */
const MISSED_SLOT_MS = 15 * SECOND
const MAX_CHATS = 50_000

/** The keys of waiting messages in the order in which they first asked, with the time of their turn in ms. */
type Waiting = Map<string, number>
/** The state of a chat, with times in ms. `freeAt` is when the rate limit allows the next message. */
type Chat = { freeAt: number; pausedUntil: number; lanes: Record<Lane, Waiting> }
type Pace = {
  chats: BoundedCache<bigint, Chat>
  pausedUntil: number
  /** The chat that Telegram limited last. If a second chat is limited before `until`, the whole bot pauses. */
  limited: { chatId: bigint; until: number } | null
  outage: { since: number; until: number } | null
}

const paceOf = perContext(
  'pace of Telegram',
  { scope: 'process', nodes: 'own', lost: 'who waits for a slot: jobs ask again' },
  (): Pace => ({ chats: boundedCache(MAX_CHATS), pausedUntil: 0, limited: null, outage: null }),
)

/** A message that wants its turn. `key` identifies the message and is the same each time. */
type Asker = { chatId: bigint; lane: Lane; key: string }

/**
 * Asks whether a message may be sent to a chat. Returns 0 for now; the caller must call `endSlot` after sending.
 * Otherwise returns the ms until the caller must ask again. Returns null if the message would be too late to be useful.
 * A newer message never overtakes a waiting one of the same kind.
 */
export async function takeSlot(ctx: Context, { chatId, lane, key }: Asker): Promise<number | null> {
  const now = ctx.clock.now().getTime()
  const pace = paceOf(ctx)
  const chat = chatOf(pace, chatId)
  const waiting = chat.lanes[lane]
  const longest = LONGEST_WAIT_MS[lane]
  const ahead = countAhead(waiting, key, { now, longest })
  // The message keeps its place in the queue until it has been sent.
  if (!waiting.has(key)) waiting.set(key, now)
  if (ahead === 0 && (await takeSlotNow(ctx, chatId))) {
    waiting.set(key, now)
    return 0
  }
  const waitMs = Math.max(freeAtOf(pace, chat, now) - now, 0) + ahead * MESSAGE_MS
  if (waitMs > longest || ahead >= MOST_WAITING) {
    waiting.delete(key)
    return null
  }
  waiting.set(key, now + waitMs)
  return waitMs
}

export function endSlot(ctx: Context, { chatId, lane, key }: Asker): void {
  paceOf(ctx).chats.get(chatId)?.lanes[lane].delete(key)
}

/** Counts the messages ahead, and removes dropped ones. Turns beyond `longest` come from a clock that was set back. */
function countAhead(waiting: Waiting, key: string, { now, longest }: { now: number; longest: number }): number {
  let ahead = 0
  for (const [other, at] of waiting) {
    if (other === key) break
    if (at + MISSED_SLOT_MS < now || at > now + longest) waiting.delete(other)
    else ahead += 1
  }
  return ahead
}

/** Counts a request that cannot wait against the chat's rate limit. Returns false if the chat accepts nothing now. */
export async function takeSlotNow(ctx: Context, chatId: bigint): Promise<boolean> {
  const now = ctx.clock.now().getTime()
  const pace = paceOf(ctx)
  const chat = chatOf(pace, chatId)
  if (freeAtOf(pace, chat, now) > now) return false
  const { isTaken, waitMs, resetMs } = await perChat.take(ctx, chatId.toString())
  chat.freeAt = now + (isTaken ? resetMs - (BURST - 1) * MESSAGE_MS : waitMs)
  return isTaken
}

/**
 * Pauses a chat after a 429. The whole bot pauses only if a second chat is limited soon after, because one person can
 * flood one chat.
 */
export function recordLimit(ctx: Context, { chatId, retryAfterMs }: { chatId: bigint; retryAfterMs: number }) {
  const now = ctx.clock.now().getTime()
  const pace = paceOf(ctx)
  chatOf(pace, chatId).pausedUntil = now + Math.min(retryAfterMs, LONGEST_CHAT_PAUSE_MS)
  const until = now + Math.min(retryAfterMs, LONGEST_BOT_PAUSE_MS)
  const { limited } = pace
  if (limited !== null && limited.chatId !== chatId && now < limited.until) pace.pausedUntil = until
  pace.limited = { chatId, until }
}

/** Records that Telegram has surely not accepted a message, which begins or extends an outage. */
export function recordOutage(ctx: Context): void {
  const now = ctx.clock.now().getTime()
  const pace = paceOf(ctx)
  const { outage } = pace
  const goesOn = outage !== null && now < outage.until + LONGEST_OUTAGE_PAUSE_MS
  const since = goesOn ? Math.min(outage.since, now) : now
  const pauseMs = Math.min(Math.max((now - since) / 2, SHORTEST_OUTAGE_PAUSE_MS), LONGEST_OUTAGE_PAUSE_MS)
  pace.outage = { since, until: now + pauseMs }
}

export function recordSuccess(ctx: Context): void {
  paceOf(ctx).outage = null
}

function freeAtOf(pace: Pace, chat: Chat, now: number): number {
  // The upper bounds limit the wait of a chat if the clock was set back.
  return Math.max(
    Math.min(chat.freeAt, now + MESSAGE_MS),
    Math.min(chat.pausedUntil, now + LONGEST_CHAT_PAUSE_MS),
    Math.min(pace.pausedUntil, now + LONGEST_BOT_PAUSE_MS),
    Math.min(pace.outage?.until ?? 0, now + LONGEST_OUTAGE_PAUSE_MS),
  )
}

function chatOf({ chats }: Pace, chatId: bigint): Chat {
  const lanes = () => ({ code: new Map(), notice: new Map(), reply: new Map() })
  const chat = chats.get(chatId) ?? { freeAt: 0, pausedUntil: 0, lanes: lanes() }
  chats.set(chatId, chat)
  return chat
}
