import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { count } from '#test/builders/activation-rows.ts'
import { holdSession, meetAtRow } from '#test/builders/held-row.ts'
import { sentMails } from '#test/builders/mails.ts'
import { bring, openLink, workOffInOrder } from '#test/builders/telegram.ts'
import { openTelegramHouse, type TelegramHouse } from '#test/fakes/telegram/telegram-house.ts'
import { call, refused } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'

const TELEGRAM = 'GET /api/v1/telegram'
const LINK = 'POST /api/v1/telegram/link'
const UNLINK = 'DELETE /api/v1/telegram'
const ANNA = 1001
const BORIS = 1002

async function tokenFor(t: TestApp, user: TestUser, codes = false): Promise<string> {
  const { url } = await call(t, LINK, { codes }, user)
  return new URL(url).searchParams.get('start') ?? ''
}

const start = (house: TelegramHouse, person: number, token: string) => house.write(person, `/start ${token}`)

test('without a token nothing of it is there', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  expect(await call(t, TELEGRAM, {}, user)).toEqual({ status: true, bot: null, chat: null, reward: null })
  expect((await refused(t, LINK, { codes: false }, user)).status).toBe(404)
  expect((await refused(t, 'POST /api/v1/telegram/reward', {}, user)).status).toBe(404)
  const { offered } = await call(t, 'GET /api/v1/notifications/settings', {}, user)
  expect(Object.values(offered).flat()).not.toContain('telegram')
  expect((await t.fetch('/telegram/updates', { method: 'POST' })).status).toBe(404)
})

test('a chat is linked by its deep link, once; open tabs and a letter tell of it', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const user = await t.makeUser()
  using tab = await listen(t, user)
  const { url, expires_at } = await call(t, LINK, { codes: true }, user)
  expect(url).toMatch(/^https:\/\/t\.me\/ringpost_bot\?start=[\w-]{43}$/)
  expect(expires_at).toBe(new Date(t.clock.now().getTime() + 10 * MINUTE).toISOString())
  const token = new URL(url).searchParams.get('start') ?? ''
  start(house, ANNA, token)
  await bring(t)
  // No chat is linked before its person has seen to which account it will belong.
  expect(await count(t.ctx, 'telegram_chats')).toBe(0)
  const question = house.sent.at(-1)
  expect(question?.text).toContain('the account b***@example.test?')
  expect(house.keyboards.at(-1)).toMatchObject([[{ text: 'Connect to b***@example.test' }]])
  const [button = ''] = question?.buttons ?? []
  expect(Buffer.byteLength(button)).toBeLessThanOrEqual(64)
  house.press(ANNA, button)
  await bring(t)
  expect(await tab.next('NewUserNotification')).toMatchObject({
    kind: 'telegram-linked',
    link: '/settings/notifications',
  })
  expect((await call(t, TELEGRAM, {}, user)).chat).toEqual({
    name: 'Anna',
    linked_at: t.clock.now().toISOString(),
    codes: true,
    blocked: false,
  })
  expect(await sentMails(t)).toMatchObject([{ to: user.email, mail: { title: 'Telegram подключён' } }])
  expect(house.sent.slice(1)).toMatchObject([{ chatId: ANNA, text: expect.stringContaining('b***@example.test') }])
  // Neither the token nor the text of the message is stored.
  const { rows } = await t.ctx.db.query({ text: 'SELECT body, processed_at FROM telegram_updates' })
  const processed = { body: null, processed_at: t.clock.now() }
  expect(rows).toEqual([processed, processed])
  start(house, BORIS, token)
  await bring(t)
  expect(house.sent.at(-1)).toMatchObject({ chatId: BORIS, text: expect.stringContaining('no longer works') })
  house.press(ANNA, button)
  await bring(t)
  expect(house.sent.at(-1)).toMatchObject({ chatId: ANNA, text: expect.stringContaining('Чат подключён') })
  expect(await count(t.ctx, 'telegram_chats WHERE telegram_id = $1', [ANNA])).toBe(1)
  expect(house.faults).toEqual([])
})

test('of many that use one link at once, one chat is linked', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const token = await tokenFor(t, await t.makeUser())
  for (let person = 1; person <= 10; person += 1) start(house, person, token)
  await bring(t)
  for (const { chatId, buttons } of house.sent) house.press(chatId, buttons[0] ?? '')
  await bring(t)
  expect(await count(t.ctx, 'telegram_chats')).toBe(1)
  expect(house.sent.filter(({ text }) => text.includes('no longer works'))).toHaveLength(9)
})

test('a button links the chat it was shown in alone, within the ten minutes of its token', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const user = await t.makeUser()
  const token = await tokenFor(t, user)
  start(house, ANNA, token)
  await bring(t)
  const [button = ''] = house.sent.at(-1)?.buttons ?? []
  for (const forged of [button, `link:${token}`, `link:${token}${'A'.repeat(16)}`, 'link:']) house.press(BORIS, forged)
  await bring(t)
  await workOffInOrder(t)
  expect(await count(t.ctx, 'telegram_chats')).toBe(0)
  expect(house.sent.slice(1).map(({ text }) => text.includes('no longer works'))).toEqual([true, true, true, true])
  t.clock.advance(10 * MINUTE)
  house.press(ANNA, button)
  await bring(t)
  expect(await count(t.ctx, 'telegram_chats')).toBe(0)
  expect(house.sent.at(-1)).toMatchObject({ chatId: ANNA, text: expect.stringContaining('no longer works') })
  expect(house.faults).toEqual([])
})

test('a link is over after ten minutes, by the next link, and by a block of its account', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const [late, twice, blocked] = [await t.makeUser(), await t.makeUser(), await t.makeUser()]
  const first = await tokenFor(t, twice)
  await tokenFor(t, twice)
  const ofBlocked = await tokenFor(t, blocked)
  await setBlocked(t.ctx.db, { userId: blocked.id, blockedAt: t.clock.now() })
  const ofLate = await tokenFor(t, late)
  start(house, 1, first)
  start(house, 2, ofBlocked)
  t.clock.advance(10 * MINUTE)
  start(house, 3, ofLate)
  await bring(t)
  expect(await count(t.ctx, 'telegram_chats')).toBe(0)
  expect(house.sent).toHaveLength(3)
})

test('an account has one chat and a chat one account; /stop and the site take it away', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const [user, other] = [await t.makeUser(), await t.makeUser()]
  await openLink(t, house, { person: ANNA, token: await tokenFor(t, user) })
  const ofOther = await tokenFor(t, other)
  await openLink(t, house, { person: ANNA, token: ofOther })
  expect(house.sent.at(-1)?.text).toContain('/stop')
  expect((await call(t, TELEGRAM, {}, other)).chat).toBeNull()
  house.write(ANNA, '/stop')
  await bring(t)
  await openLink(t, house, { person: ANNA, token: ofOther })
  expect((await call(t, TELEGRAM, {}, user)).chat).toBeNull()
  expect((await call(t, TELEGRAM, {}, other)).chat).toMatchObject({ name: 'Anna', codes: false })
  await openLink(t, house, { person: BORIS, token: await tokenFor(t, other, true) })
  expect(await count(t.ctx, 'telegram_chats WHERE telegram_id = $1', [BORIS])).toBe(1)
  expect(await count(t.ctx, 'telegram_chats')).toBe(1)
  expect((await call(t, 'PATCH /api/v1/telegram', { codes: false }, other)).chat).toMatchObject({ codes: false })
  expect((await refused(t, 'PATCH /api/v1/telegram', { codes: true }, user)).status).toBe(404)
  const waiting = await tokenFor(t, other)
  expect((await call(t, UNLINK, {}, other)).chat).toBeNull()
  expect((await refused(t, UNLINK, {}, other)).status).toBe(404)
  await openLink(t, house, { person: BORIS, token: waiting })
  expect(await count(t.ctx, 'telegram_chats')).toBe(0)
})

test('visitors, keys and sessions without a recent confirmation link and unlink nothing', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const user = await t.makeUser()
  const codes = false
  expect((await refused(t, LINK, { codes })).status).toBe(401)
  expect((await refused(t, LINK, { codes }, { token: await t.makeApiKey(user) })).status).toBe(403)
  expect((await refused(t, LINK, { codes, more: 1 }, user)).status).toBe(422)
  t.clock.advance(6 * MINUTE)
  expect((await refused(t, LINK, { codes }, user)).body.code).toBe('CONFIRM_PASSWORD')
  expect((await refused(t, UNLINK, {}, user)).body.code).toBe('CONFIRM_PASSWORD')
  const { token } = await beginTestSession(t.ctx, user.id)
  for (let n = 0; n < 10; n += 1) await call(t, LINK, { codes }, { token })
  expect((await refused(t, LINK, { codes }, { token })).status).toBe(429)
})

test.each(['the password', 'the link'])(
  'of a new password and a link that another session begins in the same moment no link is left: %s comes first',
  async (first) => {
    await using house = await openTelegramHouse()
    await using t = await startTestApp({ environment: house.environment })
    const user = await t.makeUser()
    const { token, sessionId } = await beginTestSession(t.ctx, user.id)
    const words = { password: 'the first of passwords', password_confirmation: 'the first of passwords' }
    const change = () => call(t, 'POST /api/v1/user/password', { ...words, current_password: user.password }, user)
    const begin = () => call(t, LINK, { codes: true }, { token })
    const turns: [() => Promise<unknown>, () => Promise<unknown>] =
      first === 'the link' ? [begin, change] : [change, begin]
    const { connectionString } = t.ctx.db.options
    const met = await meetAtRow({ connectionString, id: sessionId, hold: holdSession }, turns)
    expect(met.map(({ status }) => status)).toEqual(['fulfilled', first === 'the link' ? 'fulfilled' : 'rejected'])
    expect(await count(t.ctx, 'telegram_links')).toBe(0)
  },
)
