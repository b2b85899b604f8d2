import { type Bot, telegramOf } from '#server/house/bot/bot.ts'
import type { Context } from '#server/house/context.ts'
import { putChat } from '#server/surfaces/telegram/chats/queries.ts'
import { claimReward } from '#server/surfaces/telegram/reward/claim-reward.ts'
import { endsWith, type Paying, paid } from './payment-walks.ts'
import { attempt, type Walk } from './walk.ts'
import type { World } from './world.ts'

let people = 1000

function atChannel(ctx: Context): Context {
  const never = () => Promise.reject(new Error('no other call is made'))
  const bot: Bot = {
    getUpdates: never,
    setWebhook: never,
    send: never,
    setKeyboard: never,
    answerPress: never,
    isMember: () => Promise.resolve(true),
  }
  const reward = { accountAgeMs: 0, linkAgeMs: 0, needsTopUp: true }
  const telegram = { botName: 'bot', channel: 'news', apiRoot: '', updates: 'polling', reward } as const
  telegramOf(ctx).bot = bot
  return { ...ctx, config: { ...ctx.config, telegram, telegramRewardMicros: { rub: 25_000_000n, usd: null } } }
}

async function linked(world: World): Promise<Paying> {
  const paying = await paid(world)
  people += 1
  const { db, clock } = world.t.ctx
  await putChat(db, { userId: buyerOf(paying), telegramId: people, name: 'Anna', wantsCodes: false, now: clock.now() })
  return paying
}

function buyerOf({ userIds: [userId] }: Paying): number {
  if (userId === undefined) throw new Error('nobody pays')
  return userId
}

const walk: Walk<Paying> = {
  name: 'the reward for the channel',
  given: linked,
  act: (world, paying) => {
    const member = { userId: buyerOf(paying), currency: 'rub', role: 'user', sessionId: null, key: null } as const
    return attempt(world, () => claimReward(atChannel(world.life.ctx), member))
  },
  after: endsWith({ state: 'paid', available: '52500', debt: '0' }),
}

export const channelWalks = [walk] as readonly Walk[]
