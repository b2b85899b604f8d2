import { SECOND } from '#contract/time.ts'
import { announceBalance } from '#server/core/payments/announce.ts'
import { type OfferedReward, offeredReward, payableFrom } from '#server/core/programmes/offered-reward.ts'
import { type Bot, BotError, telegramOf } from '#server/house/bot/bot.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { notFound } from '#server/house/errors/errors.ts'
import type { Member } from '#server/house/http/caller.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { collectDebt, lockAccount, moveMoney } from '#server/house/money/move-money.ts'
import { type ChatRow, findChatOfUser } from '#server/surfaces/telegram/chats/queries.ts'
import {
  notInChannel,
  rewardGiven,
  rewardNeedsTopUp,
  rewardTooEarly,
  telegramNotLinked,
  telegramUnavailable,
} from '#server/surfaces/telegram/telegram-errors.ts'
import { findStanding, insertReward } from './queries.ts'

/** The rate limit protects Telegram, because each click sends it a request. */
const limit = createRateLimit({ name: 'rewards claimed by a user', burst: 20, refillMs: 10 * SECOND })

/**
 * Gives the reward for joining the Telegram channel. Each account and each Telegram person gets it once, even after
 * unlinking, leaving or joining again. A repeated call changes nothing. Throws NOT_FOUND, TELEGRAM_NOT_LINKED,
 * REWARD_TOO_EARLY, REWARD_NEEDS_TOP_UP, NOT_IN_CHANNEL, REWARD_GIVEN, TELEGRAM_UNAVAILABLE, TOO_MANY_REQUESTS.
 */
export async function claimReward(ctx: Context, { userId, currency }: Member): Promise<void> {
  const offer = offeredReward(ctx, currency)
  const bot = telegramOf(ctx).bot
  if (offer === null || bot === null) throw notFound()
  const now = ctx.clock.now()
  await limit.spend(ctx, userId.toString())
  const standing = await findStanding(ctx.db, userId)
  if (standing === null) throw notFound()
  if (standing.given_micros !== null) return
  const chat = await findChatOfUser(ctx.db, userId)
  if (chat === null) throw telegramNotLinked()
  if (payableFrom(offer, { createdAt: standing.created_at, linkedAt: chat.linked_at }) > now) throw rewardTooEarly()
  if (offer.needsTopUp && standing.topped_up_micros < offer.amountMicros) throw rewardNeedsTopUp()
  if (!(await isMember(ctx, bot, { channel: offer.channel, personId: chat.telegram_id }))) throw notInChannel()
  await book(ctx, chat, offer)
}

async function isMember(
  ctx: Context,
  bot: Bot,
  { channel, personId }: { channel: string; personId: bigint },
): Promise<boolean> {
  try {
    return await bot.isMember(channel, personId)
  } catch (error) {
    if (!(error instanceof BotError)) throw error
    // Telegram refuses this request if the bot is no administrator of the channel.
    ctx.log.warn({ error, channel }, 'Telegram does not say who is in the channel')
    throw telegramUnavailable()
  }
}

async function book(ctx: Context, chat: ChatRow, { amountMicros, linkAgeMs }: OfferedReward): Promise<void> {
  const { user_id: userId, telegram_id: telegramId } = chat
  const at = ctx.clock.now()
  const linkedBy = new Date(at.getTime() - linkAgeMs)
  const paid = await transaction(ctx.db, async (tx) => {
    const { currency } = await lockAccount(tx, userId)
    const id = await insertReward(tx, { userId, telegramId, currency, amountMicros, linkedBy, now: at })
    if (id === null) return null
    const idempotencyKey = `channel:${id}`
    const move = { kind: 'channel_reward', micros: amountMicros, channelRewardId: id, idempotencyKey } as const
    await moveMoney(tx, { userId, at, moves: [move] })
    return { userId, currency, availableMicros: await collectDebt(tx, { userId, at }) }
  })
  if (paid !== null) announceBalance(ctx, paid)
  // If a concurrent call gave the reward to this account, there is no error.
  else if ((await findStanding(ctx.db, userId))?.given_micros == null) throw rewardGiven()
}
