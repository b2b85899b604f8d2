import { expect, test } from 'vitest'
import { HOUR } from '#contract/time.ts'
import { count, expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { topUp } from '#test/builders/money/top-ups.ts'
import { bring, linkChat } from '#test/builders/telegram.ts'
import { addFakeGateway } from '#test/fakes/fake-gateway.ts'
import { openTelegramHouse, refuse } from '#test/fakes/telegram/telegram-house.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { typed, WHY } from '#test/harness/typed.ts'

const REWARD = 'POST /api/v1/telegram/reward'
const TELEGRAM = 'GET /api/v1/telegram'
const ANNA = 1001
const SETTINGS = {
  TELEGRAM_CHANNEL: '@ringpost_news',
  TELEGRAM_SUBSCRIBE_REWARD_RUB: '25.00',
  TELEGRAM_REWARD_NEEDS_TOP_UP: '0',
  TELEGRAM_REWARD_LINK_HOURS: '0',
}

test('P-1, 1.17: whoever joins the channel is paid once, as promotion; twenty presses at once are one', async () => {
  await using house = await openTelegramHouse(SETTINGS)
  await using t = await startTestApp({ environment: house.environment })
  const user = await t.makeUser({ balance: '10.00' })
  const reward = async () => (await call(t, TELEGRAM, {}, user)).reward
  const offer = { amount: '25.00', channel: 'ringpost_news', url: 'https://t.me/ringpost_news', from: null }
  expect((await call(t, 'GET /api/content/settings', {}, user)).telegramSubscribeReward).toBe('25.00')
  expect(await reward()).toEqual({ ...offer, state: 'not-linked' })
  expect((await refused(t, REWARD, {}, user)).body.code).toBe('TELEGRAM_NOT_LINKED')
  await linkChat(t, house, { user, person: ANNA })
  expect(await reward()).toEqual({ ...offer, state: 'join' })
  expect((await refused(t, REWARD, {}, user)).body.code).toBe('NOT_IN_CHANNEL')
  for (const status of ['left', 'kicked']) {
    house.members.set(ANNA, status)
    expect((await refused(t, REWARD, {}, user)).body.code).toBe('NOT_IN_CHANNEL')
  }
  house.members.set(ANNA, 'member')
  using tab = await listen(t, user)
  t.clock.advance(HOUR / 6)
  const presses = await Promise.all(Array.from({ length: 20 }, () => send(t, REWARD, {}, user)))
  expect(presses.map(({ response }) => response.status)).toEqual(Array.from({ length: 20 }, () => 200))
  expect(await tab.next('BalanceTopup')).toEqual({ balance: '35.00', currency: 'rub' })
  expect(await reward()).toEqual({ ...offer, state: 'given' })
  expect((await moneyOf(t, user)).balance).toBe('35.00')
  expect(await count(t.ctx, `transfers WHERE kind = 'channel_reward' AND from_account = 'promotions'`)).toBe(1)
  await expectBooksRight(t.ctx)
  expect(house.faults).toEqual([])
})

test('leaving and joining again, another account of the same person, or another person of the account: nothing more', async () => {
  await using house = await openTelegramHouse(SETTINGS)
  await using t = await startTestApp({ environment: house.environment })
  const [user, second] = [await t.makeUser({ balance: '0' }), await t.makeUser({ balance: '0' })]
  for (const person of [ANNA, 1002]) house.members.set(person, 'member')
  await linkChat(t, house, { user, person: ANNA })
  await call(t, REWARD, {}, user)
  house.members.set(ANNA, 'left')
  house.members.set(ANNA, 'restricted')
  await call(t, REWARD, {}, user)
  house.write(ANNA, '/stop')
  await bring(t)
  await linkChat(t, house, { user: second, person: ANNA })
  expect((await refused(t, REWARD, {}, second)).body.code).toBe('REWARD_GIVEN')
  await linkChat(t, house, { user, person: 1002 })
  await call(t, REWARD, {}, user)
  expect([(await moneyOf(t, user)).balance, (await moneyOf(t, second)).balance]).toEqual(['25.00', '0.00'])
  expect(await count(t.ctx, 'channel_rewards')).toBe(1)
  await expectBooksRight(t.ctx)
})

test('the account must be old enough and have topped up as much, where the operator wants that', async () => {
  await using house = await openTelegramHouse({
    ...SETTINGS,
    TELEGRAM_REWARD_NEEDS_TOP_UP: '1',
    TELEGRAM_REWARD_ACCOUNT_HOURS: '24',
  })
  await using t = await startTestApp({ environment: house.environment })
  const gateway = await addFakeGateway(t)
  const user = await t.makeUser({ balance: '0' })
  const from = new Date(t.clock.now().getTime() + 24 * HOUR).toISOString()
  house.members.set(ANNA, 'member')
  await linkChat(t, house, { user, person: ANNA })
  expect((await call(t, TELEGRAM, {}, user)).reward).toMatchObject({
    state: 'too-young',
    from,
  })
  expect((await refused(t, REWARD, {}, user)).body.code).toBe('REWARD_TOO_EARLY')
  t.clock.advance(24 * HOUR)
  const later = { ...user, ...(await beginTestSession(t.ctx, user.id)) }
  expect((await call(t, TELEGRAM, {}, later)).reward).toMatchObject({ state: 'needs-top-up', from: null })
  expect((await refused(t, REWARD, {}, later)).body.code).toBe('REWARD_NEEDS_TOP_UP')
  await typed(t.database, 'user:credit', user.email, '500.00', '--key', 'a', ...WHY)
  expect((await refused(t, REWARD, {}, later)).body.code).toBe('REWARD_NEEDS_TOP_UP')
  await topUp(t, gateway, later, '500.00')
  expect((await call(t, REWARD, {}, later)).reward).toMatchObject({ state: 'given' })
  await expectBooksRight(t.ctx)
})

test('a link must have stood for a day, and its person be in the channel still: who was lured has time to leave', async () => {
  await using house = await openTelegramHouse({ ...SETTINGS, TELEGRAM_REWARD_LINK_HOURS: '24' })
  await using t = await startTestApp({ environment: house.environment })
  const thief = await t.makeUser({ balance: '0' })
  house.members.set(ANNA, 'member')
  await linkChat(t, house, { user: thief, person: ANNA })
  const { chat, reward } = await call(t, TELEGRAM, {}, thief)
  const from = new Date(new Date(chat?.linked_at ?? '').getTime() + 24 * HOUR)
  expect(reward).toMatchObject({ state: 'too-young', from: from.toISOString() })
  expect((await refused(t, REWARD, {}, thief)).body.code).toBe('REWARD_TOO_EARLY')
  t.clock.advance(24 * HOUR)
  const later = { ...thief, ...(await beginTestSession(t.ctx, thief.id)) }
  house.members.set(ANNA, 'left')
  expect((await refused(t, REWARD, {}, later)).body.code).toBe('NOT_IN_CHANNEL')
  house.members.set(1002, 'member')
  await linkChat(t, house, { user: later, person: 1002 })
  expect((await refused(t, REWARD, {}, later)).body.code).toBe('REWARD_TOO_EARLY')
  house.write(1002, '/stop')
  await bring(t)
  t.clock.advance(24 * HOUR)
  const last = { ...thief, ...(await beginTestSession(t.ctx, thief.id)) }
  expect((await refused(t, REWARD, {}, last)).body.code).toBe('TELEGRAM_NOT_LINKED')
  expect(await count(t.ctx, 'channel_rewards')).toBe(0)
})

test('when Telegram does not say who is there, nothing is given and the person may press again', async () => {
  await using house = await openTelegramHouse(SETTINGS)
  await using t = await startTestApp({ environment: house.environment })
  const user = await t.makeUser({ balance: '0' })
  await linkChat(t, house, { user, person: ANNA })
  house.members.set(ANNA, 'administrator')
  for (const [status, words] of [
    [400, 'Bad Request: chat not found'],
    [403, 'Forbidden'],
    [429, 'Too Many Requests'],
    [502, 'x'],
  ] as const) {
    house.misbehave = (_method, reply) => {
      refuse(reply, status, words, 5)
      return true
    }
    expect((await refused(t, REWARD, {}, user)).body.code).toBe('TELEGRAM_UNAVAILABLE')
  }
  house.misbehave = null
  for (let n = 0; n < 16; n += 1) await call(t, REWARD, {}, user)
  expect((await refused(t, REWARD, {}, user)).status).toBe(429)
  expect((await refused(t, REWARD, {})).status).toBe(401)
  const key = await t.makeApiKey(user)
  expect((await refused(t, REWARD, {}, { token: key })).status).toBe(403)
})
