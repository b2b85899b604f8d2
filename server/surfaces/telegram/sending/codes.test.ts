import { expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { createBot, telegramOf } from '#server/house/bot/bot.ts'
import { buyOne, count, expectBooksRight, pushSms } from '#test/builders/activation-rows.ts'
import { bring, linkChat, workOff, workOffInOrder } from '#test/builders/telegram.ts'
import { hangUp, openTelegramHouse, refuse, TELEGRAM_TOKEN } from '#test/fakes/telegram/telegram-house.ts'
import { call } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp } from '#test/harness/harness.ts'

const ANNA = 1001
const ofActivation = 'GET /api/v1/activations/{id}'

test('a code comes to the chat once, whoever pushes it how often, with buttons; another one only where it is wanted', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const supplier = await t.addFake()
  const [user, quiet] = [await t.makeUser(), await t.makeUser()]
  await linkChat(t, house, { user, person: ANNA })
  await linkChat(t, house, { user: quiet, person: 1002, codes: false })
  const { id, phone } = await buyOne(t, user)
  const other = await buyOne(t, quiet)
  const push = { phone, messageId: 'sms-1', text: 'Telegram code: 48213 <b>&' }
  await Promise.all([
    pushSms(t, supplier, push),
    pushSms(t, supplier, push),
    pushSms(t, supplier, { phone: other.phone }),
  ])
  await workOff(t)
  // The job runs once more, as after a crash.
  await t.ctx.db.query({
    text: `SELECT graphile_worker.add_job('telegram-code', json_build_object('messageId', message_id::text, 'userId', user_id))
      FROM telegram_codes`,
  })
  await workOff(t)
  expect(house.sent).toEqual([
    {
      chatId: ANNA,
      text: expect.stringMatching(
        /^<b>Telegram<\/b>: <code>48213<\/code>\n\+7 .*\nTelegram code: 48213 &lt;b&gt;&amp;$/,
      ),
      buttons: [`again:${id}`, `done:${id}`],
    },
  ])
  expect(house.faults).toEqual([])
  await expectBooksRight(t.ctx)
})

test('buttons ask for another code and finish, as often as they are pressed; others have no power over the number', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const supplier = await t.addFake()
  const [user, thief] = [await t.makeUser(), await t.makeUser()]
  await linkChat(t, house, { user, person: ANNA })
  await linkChat(t, house, { user: thief, person: 1002 })
  const { id, phone } = await buyOne(t, user)
  await pushSms(t, supplier, { phone })
  await workOff(t)
  const stateOf = async () => (await call(t, ofActivation, { id }, user)).data.state
  // Button presses have no effect from another account's chat, from an unlinked chat, or with data that no button has.
  house.press(1002, `done:${id}`)
  house.press(1003, `done:${id}`)
  for (const data of ['done:', 'done:1e3', 'steal:1', `done:${id}; DROP`, 'done:999999999999999'])
    house.press(ANNA, data)
  await bring(t)
  expect(await stateOf()).toBe('received')
  expect(house.answers.slice(0, 2).toSorted()).toEqual(['This number doesn’t belong to your account', 'Не найдено'])
  house.press(ANNA, `again:${id}`)
  house.press(ANNA, `again:${id}`)
  await bring(t)
  expect([await stateOf(), supplier.askedAgain.length]).toEqual(['waiting_again', 1])
  expect(house.answers.slice(-2)).toEqual(['Ждём ещё один код', 'Ждём ещё один код'])
  t.clock.advance(MINUTE)
  await pushSms(t, supplier, { phone, text: 'Telegram code: 77777' })
  await workOff(t)
  expect(house.sent.map(({ text }) => /<code>(\d+)/.exec(text)?.[1])).toEqual(['48213', '77777'])
  house.press(ANNA, `done:${id}`)
  house.press(ANNA, `done:${id}`)
  house.press(ANNA, `again:${id}`)
  await bring(t)
  expect(await stateOf()).toBe('finished')
  expect(house.calls.filter(({ method }) => method === 'editMessageReplyMarkup').at(-1)?.input).toMatchObject({
    reply_markup: { inline_keyboard: [] },
  })
  expect(house.faults).toEqual([])
  await expectBooksRight(t.ctx)
})

test('a chat that was linked without codes lists its numbers without them', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const supplier = await t.addFake()
  const user = await t.makeUser()
  await linkChat(t, house, { user, person: ANNA, codes: false })
  const { id, phone } = await buyOne(t, user)
  await pushSms(t, supplier, { phone })
  house.write(ANNA, '/numbers')
  await bring(t)
  expect(house.sent).toMatchObject([{ buttons: [`again:${id}`, `done:${id}`] }])
  expect(house.sent[0]?.text).toMatch(/код показан на сайте\n\+7 /)
  expect(house.sent[0]?.text).not.toContain('48213')
  await call(t, 'PATCH /api/v1/telegram', { codes: true }, user)
  house.write(ANNA, '/numbers')
  await bring(t)
  expect(house.sent[1]?.text).toContain('<code>48213</code>')
})

test('a waiting number is listed and cancelled from the chat, once its money may go back', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  await t.addFake()
  const user = await t.makeUser({ balance: '100.00' })
  await linkChat(t, house, { user, person: ANNA })
  const { id } = await buyOne(t, user)
  house.write(ANNA, '/numbers')
  await bring(t)
  expect(house.sent).toMatchObject([{ buttons: [`cancel:${id}`] }])
  house.press(ANNA, `cancel:${id}`)
  await bring(t)
  expect(house.answers.at(-1)).toMatch(/120/)
  t.clock.advance(2 * MINUTE)
  house.press(ANNA, `cancel:${id}`)
  house.press(ANNA, `cancel:${id}`)
  await bring(t)
  expect((await call(t, ofActivation, { id }, user)).data).toMatchObject({ state: 'cancelled', money: 'released' })
  await setBlocked(t.ctx.db, { userId: user.id, blockedAt: t.clock.now() })
  house.press(ANNA, `cancel:${id}`)
  await bring(t)
  expect(house.answers.at(-1)).toBe('Этот номер куплен с другого аккаунта')
  await expectBooksRight(t.ctx)
})

test('429 is waited for and 502 tried again; what may have been taken is never sent twice', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const supplier = await t.addFake()
  const user = await t.makeUser()
  await linkChat(t, house, { user, person: ANNA })
  const { phone } = await buyOne(t, user)
  const sends = () => house.calls.filter(({ method }) => method === 'sendMessage').length
  const before = sends()
  house.misbehave = (method, reply) => {
    if (method === 'sendMessage') refuse(reply, 429, 'Too Many Requests: retry after 7', 7)
    return method === 'sendMessage'
  }
  await pushSms(t, supplier, { phone })
  await workOff(t)
  await pushSms(t, supplier, { phone, text: 'Telegram code: 22222' })
  await t.hurryJobs()
  await t.hurryJobs()
  expect(sends() - before).toBe(1)
  t.clock.advance(7 * SECOND)
  house.misbehave = (method, reply) => {
    if (method === 'sendMessage') reply.writeHead(502, { 'content-type': 'text/html' }).end('<html>')
    return method === 'sendMessage'
  }
  await t.hurryJobs()
  expect(house.sent).toEqual([])
  house.misbehave = null
  await workOffInOrder(t)
  expect(house.sent).toHaveLength(2)
  // The fake Telegram accepts the message and cuts the connection before it answers.
  house.misbehave = (method, reply) => {
    if (method === 'sendMessage') reply.destroy()
    return method === 'sendMessage'
  }
  await pushSms(t, supplier, { phone, text: 'Telegram code: 33333' })
  await workOff(t)
  house.misbehave = null
  for (let n = 0; n < 3; n += 1) await t.hurryJobs()
  expect(house.sent).toHaveLength(2)
  expect(await count(t.ctx, 'telegram_codes WHERE sent_at IS NULL')).toBe(0)
})

test('a blocked bot closes the chat until its person writes again; a late code is not sent at all', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const supplier = await t.addFake()
  const user = await t.makeUser()
  await linkChat(t, house, { user, person: ANNA })
  const { phone } = await buyOne(t, user)
  const chat = async () => (await call(t, 'GET /api/v1/telegram', {}, user)).chat
  house.blockedBy.add(ANNA)
  await pushSms(t, supplier, { phone })
  await workOff(t)
  expect(await chat()).toMatchObject({ blocked: true })
  t.clock.advance(MINUTE)
  await pushSms(t, supplier, { phone, text: 'Telegram code: 22222' })
  await workOff(t)
  expect(house.calls.filter(({ method }) => method === 'sendMessage')).toHaveLength(1)
  house.blockedBy.clear()
  house.write(ANNA, '/start')
  await bring(t)
  expect(await chat()).toMatchObject({ blocked: false })
  house.sent.length = 0
  t.clock.advance(MINUTE)
  await pushSms(t, supplier, { phone, text: 'Telegram code: 33333' })
  t.clock.advance(HOUR)
  await workOff(t)
  expect(house.sent).toEqual([])
  const again = { ...user, ...(await beginTestSession(t.ctx, user.id)) }
  await pushSms(t, supplier, { phone: (await buyOne(t, again)).phone })
  await call(t, 'DELETE /api/v1/telegram', {}, again)
  await workOff(t)
  expect(house.sent).toEqual([])
})

test('silence of Telegram ends, and is no reason to send once more', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const user = await t.makeUser()
  await linkChat(t, house, { user, person: ANNA })
  const supplier = await t.addFake()
  const { phone } = await buyOne(t, user)
  const silent = Promise.withResolvers<void>()
  house.misbehave = (method, reply) => {
    if (method !== 'sendMessage') return false
    // The fake Telegram does not answer until the caller's time-out.
    hangUp(reply).then(silent.resolve, silent.reject)
    return true
  }
  telegramOf(t.ctx).bot = createBot({ token: TELEGRAM_TOKEN, apiRoot: house.url, timeoutMs: 200 })
  await pushSms(t, supplier, { phone })
  await workOff(t)
  await silent.promise
  house.misbehave = null
  for (let n = 0; n < 2; n += 1) await t.hurryJobs()
  expect(house.sent).toEqual([])
  expect(await count(t.ctx, 'telegram_codes WHERE sent_at IS NOT NULL')).toBe(1)
})
