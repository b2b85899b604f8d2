import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { notify } from '#server/core/notifications/notify.ts'
import { tellNotification } from '#server/core/notifications/tell.ts'
import { telegramOf } from '#server/house/bot/bot.ts'
import { buyOne, count, pushSms } from '#test/builders/activation-rows.ts'
import { bring, linkChat, passSecond, workOff, workOffInOrder } from '#test/builders/telegram.ts'
import { openTelegramHouse, refuse, type TelegramHouse } from '#test/fakes/telegram/telegram-house.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { redisProgram, startThreeNodes } from '#test/services/three-nodes.ts'
import { endSlot, takeSlot, takeSlotNow } from './pace.ts'

const FLOODED = 666
const ANNA = 1001
const BORIS = 1002

async function answerTicket(t: TestApp, { id: userId }: TestUser, dedupeKey: string): Promise<void> {
  const told = { kind: 'ticket-answer', details: { subject: dedupeKey } } as const
  await notify(t.ctx.db, { ...told, userId, link: '/support/1', dedupeKey }, t.clock.now())
}

function limit(house: TelegramHouse, chats: number[], seconds: number): void {
  house.misbehave = (method, reply) => {
    const isLimited = method === 'sendMessage' && chats.includes(Number(house.calls.at(-1)?.input.chat_id))
    if (isLimited) refuse(reply, 429, `Too Many Requests: retry after ${seconds}`, seconds)
    return isLimited
  }
}

const sentTo = (house: TelegramHouse, chat: number) => house.sent.filter(({ chatId }) => chatId === chat)
const callsTo = (house: TelegramHouse, chat: number) =>
  house.calls.filter(({ method, input }) => method === 'sendMessage' && input.chat_id === chat).length

test('a chat that Telegram limits keeps no code of another chat back, whether a notice or an answer met the limit', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const supplier = await t.addFake()
  const [thief, victim] = [await t.makeUser(), await t.makeUser()]
  await linkChat(t, house, { user: thief, person: FLOODED })
  await linkChat(t, house, { user: victim, person: ANNA })
  const { phone } = await buyOne(t, victim)
  limit(house, [FLOODED], 1500)
  await answerTicket(t, thief, 'a')
  await workOff(t)
  await pushSms(t, supplier, { phone })
  await workOff(t)
  expect(sentTo(house, ANNA)).toHaveLength(1)
  const asked = callsTo(house, FLOODED)
  house.write(FLOODED, 'hello')
  await bring(t)
  await t.hurryJobs()
  expect(callsTo(house, FLOODED)).toBe(asked)
  t.clock.advance(1500 * SECOND)
  house.write(FLOODED, 'hello')
  await bring(t)
  expect(callsTo(house, FLOODED)).toBeGreaterThan(asked)
  await pushSms(t, supplier, { phone, text: 'Telegram code: 22222' })
  await workOff(t)
  expect(sentTo(house, ANNA)).toHaveLength(2)
})

test('two chats that are limited within a minute pause the bot, and for no more than a minute', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const supplier = await t.addFake()
  const [first, second, victim] = [await t.makeUser(), await t.makeUser(), await t.makeUser()]
  await linkChat(t, house, { user: first, person: FLOODED })
  await linkChat(t, house, { user: second, person: BORIS })
  await linkChat(t, house, { user: victim, person: ANNA })
  const { phone } = await buyOne(t, victim)
  limit(house, [FLOODED, BORIS], 1500)
  await answerTicket(t, first, 'a')
  await workOff(t)
  t.clock.advance(MINUTE)
  await answerTicket(t, second, 'b')
  await workOff(t)
  // The first chat was limited a minute ago. That is too long ago to pause the whole bot when the second chat is
  // limited.
  await pushSms(t, supplier, { phone })
  await workOff(t)
  expect(sentTo(house, ANNA)).toHaveLength(1)
  t.clock.advance(1500 * SECOND)
  for (const [user, key] of [
    [first, 'c'],
    [second, 'd'],
  ] as const)
    await answerTicket(t, user, key)
  await t.hurryJobs()
  await workOff(t)
  await pushSms(t, supplier, { phone, text: 'Telegram code: 22222' })
  await workOff(t)
  t.clock.advance(59 * SECOND)
  await t.hurryJobs()
  expect(sentTo(house, ANNA)).toHaveLength(1)
  t.clock.advance(SECOND)
  await t.hurryJobs()
  expect(sentTo(house, ANNA)).toHaveLength(2)
})

test('a chat gets five messages at once and then one a second; a flood waits elsewhere than in a worker, and has an end', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  await t.addFake()
  const user = await t.makeUser({ balance: '1000.00' })
  await linkChat(t, house, { user, person: FLOODED })
  for (let n = 0; n < 3; n += 1) await buyOne(t, user)
  t.clock.advance(MINUTE)
  for (let n = 0; n < 20; n += 1) house.write(FLOODED, '/numbers')
  house.write(ANNA, 'hello')
  await bring(t)
  expect([sentTo(house, FLOODED).length, sentTo(house, ANNA).length]).toEqual([5, 1])
  const waiting = () => count(t.ctx, `graphile_worker.jobs WHERE task_identifier = 'telegram-reply'`)
  expect(await waiting()).toBe(25)
  // No payload of a job is stored in plain text.
  const { rows } = await t.ctx.db.query<{ payload: unknown }>({
    text: 'SELECT payload FROM graphile_worker._private_jobs',
  })
  expect(JSON.stringify(rows)).not.toContain('cancel')
  await passSecond(t)
  expect(sentTo(house, FLOODED)).toHaveLength(6)
  await workOffInOrder(t)
  expect(sentTo(house, FLOODED)).toHaveLength(30)
  expect(house.faults).toEqual([])
})

test('a code goes before the notices of its chat that came first', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const supplier = await t.addFake()
  const user = await t.makeUser()
  await linkChat(t, house, { user, person: ANNA })
  const { phone } = await buyOne(t, user)
  for (let n = 0; n < 8; n += 1) await answerTicket(t, user, `n${n}`)
  const { rows } = await t.ctx.db.query<{ id: string }>({ text: 'SELECT id::text FROM notifications' })
  for (const { id } of rows) await tellNotification(t.ctx, { id })
  await pushSms(t, supplier, { phone })
  await workOff(t)
  const isCode = () => house.sent.map(({ text }) => text.includes('48213'))
  expect(isCode()).toEqual([true, false, false, false, false])
  await pushSms(t, supplier, { phone, text: 'Telegram code: 48213 once more' })
  await workOff(t)
  await passSecond(t)
  expect(isCode().slice(5)).toEqual([true])
  await workOffInOrder(t)
  expect(house.sent).toHaveLength(10)
})

test('codes come in the order of their messages, whatever made them wait: a limit, an outage, or the pace', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const supplier = await t.addFake()
  const user = await t.makeUser()
  await linkChat(t, house, { user, person: ANNA })
  const { phone } = await buyOne(t, user)
  let pushed = 0
  const push = async (codes: number) => {
    for (let n = 0; n < codes; n += 1) {
      pushed += 1
      await pushSms(t, supplier, { phone, text: `Telegram code: ${10_000 + pushed}` })
      await workOff(t)
    }
  }
  const codes = () => sentTo(house, ANNA).map(({ text }) => Number(/<code>(\d+)/.exec(text)?.[1]) - 10_000)
  const tries = () => callsTo(house, ANNA)
  house.misbehave = (method, reply) => {
    if (method === 'sendMessage') reply.writeHead(502, { 'content-type': 'text/html' }).end('<html>')
    return method === 'sendMessage'
  }
  await push(4)
  expect(tries()).toBe(1)
  for (let second = 0; second < 6; second += 1) await passSecond(t)
  expect(tries()).toBeLessThan(5)
  limit(house, [ANNA], 7)
  for (let second = 0; second < 3; second += 1) await passSecond(t)
  await push(3)
  house.misbehave = null
  for (let second = 0; second < 6; second += 1) {
    await passSecond(t)
    await push(1)
  }
  await push(4)
  await workOffInOrder(t)
  expect(codes()).toEqual(Array.from({ length: 17 }, (_, n) => n + 1))
})

test('a message that was dropped while it waited holds up those behind it for seconds', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const user = await t.makeUser()
  await linkChat(t, house, { user, person: ANNA })
  for (let n = 0; n < 8; n += 1) await answerTicket(t, user, `n${n}`)
  await workOff(t)
  await t.ctx.db.query({
    text: 'UPDATE notifications SET read_at = created_at WHERE telegram_at IS NULL',
  })
  await passSecond(t)
  await answerTicket(t, user, 'last')
  for (let second = 0; second < 25; second += 1) await passSecond(t)
  expect(sentTo(house, ANNA).at(-1)?.text).toContain('last')
})

test('an answer whose process was killed is sent by the next one, unless its writer has stopped waiting', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const waitForSlot = async () => {
    house.sent.length = 0
    for (let n = 0; n < 6; n += 1) house.write(ANNA, 'hello')
    await bring(t)
    expect(house.sent).toHaveLength(5)
    // The job looks as `unlockJobs` finds it after the process was killed: one attempt has begun and never ended.
    await t.ctx.db.query({
      text: `UPDATE graphile_worker._private_jobs SET attempts = attempts + 1, run_at = now() - interval '1 second'`,
    })
  }
  await waitForSlot()
  t.clock.advance(2 * SECOND)
  await workOff(t)
  expect(house.sent).toHaveLength(6)
  t.clock.advance(MINUTE)
  await waitForSlot()
  t.clock.advance(MINUTE)
  await workOff(t)
  expect(house.sent).toHaveLength(5)
  expect(await count(t.ctx, 'graphile_worker.jobs')).toBe(0)
})

test('whoever asks before its slot waits, though the chat would take more at once', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const bot = telegramOf(t.ctx).bot
  if (bot === null) throw new Error('there is no bot')
  // Each asks without waiting for the answers of those before.
  const ask = (...keys: string[]) => Promise.all(keys.map((key) => takeSlot(t.ctx, { chatId: 7n, lane: 'code', key })))
  for (let n = 0; n < 5; n += 1) expect(await ask('first')).toEqual([0])
  expect(await ask('first', 'second', 'third')).toEqual([1000, 2000, 3000])
  t.clock.advance(5 * SECOND)
  expect(await ask('third', 'second', 'first')).toEqual([2000, 1000, 0])
  endSlot(t.ctx, { chatId: 7n, lane: 'code', key: 'first' })
  expect(await ask('third', 'second')).toEqual([1000, 0])
})

test.runIf(redisProgram)('a chat of Telegram gets five messages at once from all nodes', async () => {
  await using shop = await startThreeNodes()
  const { nodes } = shop
  const begunAt = performance.now()
  const taken = await Promise.all(nodes.flatMap(({ ctx }) => Array.from({ length: 5 }, () => takeSlotNow(ctx, 7n))))
  const count = taken.filter((isTaken) => isTaken).length
  expect(count).toBeGreaterThanOrEqual(5)
  expect(count).toBeLessThanOrEqual(5 + Math.ceil((performance.now() - begunAt) / SECOND))
})
