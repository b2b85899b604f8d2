import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { type BoundedCache, boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'

/** Each has places of its own, so that a code never stands behind notices. */
export type Lane = 'code' | 'notice' | 'reply'

/** Telegram takes about one message a second for a chat, and a short burst, such as a list of numbers. */
const MESSAGE_MS = SECOND
const BURST = 5
/** Whoever would wait longer for a place is of no use by then. */
const LONGEST_WAIT_MS: Record<Lane, number> = { code: 20 * MINUTE, notice: DAY, reply: 30 * SECOND }
const LONGEST_CHAT_PAUSE_MS = HOUR
const LONGEST_BOT_PAUSE_MS = MINUTE
/** While Telegram takes nothing, one message asks for all: first so soon, then after half the time it has been away. */
const SHORTEST_OUTAGE_PAUSE_MS = 2 * SECOND
const LONGEST_OUTAGE_PAUSE_MS = 30 * SECOND
/** Of a chat and lane: as many as can wait for twenty minutes. */
const MOST_WAITING = 1_200
/** The furthest slot that is given. */
export const LONGEST_SLOT_MS: Record<Lane, number> = {
  ...LONGEST_WAIT_MS,
  notice: LONGEST_CHAT_PAUSE_MS + MOST_WAITING * MESSAGE_MS,
}
/** A message that has not asked so long after its slot was dropped meanwhile. */
const MISSED_SLOT_MS = 15 * SECOND
const MAX_CHATS = 50_000

/** In the order in which they first asked, with the time (ms) of their slot. */
type Waiting = Map<string, number>
/** Times in ms. `fullAt`: when the burst is whole again. */
type Chat = { fullAt: number; pausedUntil: number; lanes: Record<Lane, Waiting> }
type Pace = {
  chats: BoundedCache<bigint, Chat>
  pausedUntil: number
  /** The chat that was limited last, and how long a second one makes it the whole bot's matter. */
  limited: { chatId: bigint; until: number } | null
  /** Since when Telegram has taken nothing, and when it is asked next. */
  outage: { since: number; until: number } | null
}

const paceOf = perContext(
  'pace of Telegram',
  { scope: 'process', lost: 'who waits for a slot: jobs ask again' },
  (): Pace => ({ chats: boundedCache(MAX_CHATS), pausedUntil: 0, limited: null, outage: null }),
)

/** `key`: of the message, the same each time it asks. */
type Asker = { chatId: bigint; lane: Lane; key: string }

/**
 * 0: send now, and end the slot then. Otherwise the ms until the slot of this message, which asks again. null: there is none in
 * useful time. A newer message of the lane never overtakes one that waits, for whatever reason that does.
 */
export function takeSlot(ctx: Context, { chatId, lane, key }: Asker): number | null {
  const now = ctx.clock.now().getTime()
  const pace = paceOf(ctx)
  const chat = chatOf(pace, chatId)
  const waiting = chat.lanes[lane]
  const longest = LONGEST_WAIT_MS[lane]
  const ahead = countAhead(waiting, key, { now, longest })
  if (ahead === 0 && takeSlotNow(ctx, chatId)) {
    // It keeps its place until it has been sent.
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

/** Forgets those that were dropped. No slot is further away than `longest`, unless the clock was set back. */
function countAhead(waiting: Waiting, key: string, { now, longest }: { now: number; longest: number }): number {
  let ahead = 0
  for (const [other, at] of waiting) {
    if (other === key) break
    if (at + MISSED_SLOT_MS < now || at > now + longest) waiting.delete(other)
    else ahead += 1
  }
  return ahead
}

/** For what is not done later. False: not now. */
export function takeSlotNow(ctx: Context, chatId: bigint): boolean {
  const now = ctx.clock.now().getTime()
  const pace = paceOf(ctx)
  const chat = chatOf(pace, chatId)
  if (freeAtOf(pace, chat, now) > now) return false
  chat.fullAt = Math.max(chat.fullAt, now) + MESSAGE_MS
  return true
}

/** After 429: the chat pauses. One chat can be flooded by its own person; only a second one shows that the bot is meant. */
export function noteLimit(ctx: Context, { chatId, retryAfterMs }: { chatId: bigint; retryAfterMs: number }) {
  const now = ctx.clock.now().getTime()
  const pace = paceOf(ctx)
  chatOf(pace, chatId).pausedUntil = now + Math.min(retryAfterMs, LONGEST_CHAT_PAUSE_MS)
  const until = now + Math.min(retryAfterMs, LONGEST_BOT_PAUSE_MS)
  const { limited } = pace
  if (limited !== null && limited.chatId !== chatId && now < limited.until) pace.pausedUntil = until
  pace.limited = { chatId, until }
}

/** Telegram has surely not taken a message. */
export function noteDown(ctx: Context): void {
  const now = ctx.clock.now().getTime()
  const pace = paceOf(ctx)
  const { outage } = pace
  const goesOn = outage !== null && now < outage.until + LONGEST_OUTAGE_PAUSE_MS
  const since = goesOn ? Math.min(outage.since, now) : now
  const pauseMs = Math.min(Math.max((now - since) / 2, SHORTEST_OUTAGE_PAUSE_MS), LONGEST_OUTAGE_PAUSE_MS)
  pace.outage = { since, until: now + pauseMs }
}

export function noteUp(ctx: Context): void {
  paceOf(ctx).outage = null
}

function freeAtOf(pace: Pace, chat: Chat, now: number): number {
  // As above: a clock that was set back stops nobody for longer than these.
  return Math.max(
    Math.min(chat.fullAt - (BURST - 1) * MESSAGE_MS, now + MESSAGE_MS),
    Math.min(chat.pausedUntil, now + LONGEST_CHAT_PAUSE_MS),
    Math.min(pace.pausedUntil, now + LONGEST_BOT_PAUSE_MS),
    Math.min(pace.outage?.until ?? 0, now + LONGEST_OUTAGE_PAUSE_MS),
  )
}

function chatOf({ chats }: Pace, chatId: bigint): Chat {
  const lanes = () => ({ code: new Map(), notice: new Map(), reply: new Map() })
  const chat = chats.get(chatId) ?? { fullAt: 0, pausedUntil: 0, lanes: lanes() }
  chats.set(chatId, chat)
  return chat
}
