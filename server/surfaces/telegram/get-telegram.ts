import { toDecimal } from '#contract/money.ts'
import type { Telegram } from '#contract/telegram/chat.ts'
import { type OfferedReward, offeredReward, payableFrom } from '#server/core/programmes/offered-reward.ts'
import { telegramOf } from '#server/house/bot/bot.ts'
import type { Context } from '#server/house/context.ts'
import type { Member } from '#server/house/http/caller.ts'
import { type ChatRow, findChatOfUser } from './chats/queries.ts'
import { findStanding, type Standing } from './reward/queries.ts'

export async function getTelegram(ctx: Context, { userId, currency }: Member): Promise<Telegram> {
  const { telegram } = ctx.config
  if (telegramOf(ctx).bot === null || telegram === null) return { status: true, bot: null, chat: null, reward: null }
  const offer = offeredReward(ctx, currency)
  const [chat, standing] = await Promise.all([
    findChatOfUser(ctx.db, userId),
    offer === null ? null : findStanding(ctx.db, userId),
  ])
  return {
    status: true,
    bot: telegram.botName,
    chat: chat === null ? null : toChat(chat),
    reward: offer === null || standing === null ? null : toReward(ctx, { offer, standing, chat }),
  }
}

function toChat({ name, linked_at, wants_codes: codes, closed_at }: ChatRow): Telegram['chat'] {
  return { name, linked_at: linked_at.toISOString(), codes, blocked: closed_at !== null }
}

type Known = { offer: OfferedReward; standing: Standing; chat: ChatRow | null }

function toReward(ctx: Context, known: Known): Telegram['reward'] {
  const { offer, standing } = known
  const from = payableFrom(offer, { createdAt: standing.created_at, linkedAt: known.chat?.linked_at ?? null })
  const state = stateOf(known, { isTooYoung: from > ctx.clock.now() })
  return {
    state,
    channel: offer.channel,
    url: `https://t.me/${offer.channel}`,
    amount: toDecimal(standing.given_micros ?? offer.amountMicros),
    from: state === 'too-young' ? from.toISOString() : null,
  }
}

/** Returns the state of the reward, which must agree with the checks of claimReward. */
function stateOf({ offer, standing, chat }: Known, { isTooYoung }: { isTooYoung: boolean }) {
  if (standing.given_micros !== null) return 'given'
  if (chat === null) return 'not-linked'
  if (isTooYoung) return 'too-young'
  return offer.needsTopUp && standing.topped_up_micros < offer.amountMicros ? 'needs-top-up' : 'join'
}
