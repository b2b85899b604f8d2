import { expect, test } from 'vitest'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { buyOne, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { ACCEPTED, openPlatformHouse } from '#test/fakes/sim-bank/platform-house.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { pushMessages } from './push-messages.ts'

const WANTED = { country: 'kazakhstan', operator: 'any', service: 'tg', sum: 20, currency: 643 }

async function openAgent(t: TestApp) {
  const fake = await t.addFake('modems')
  const agent = await t.makeUser({ balance: '1000' })
  await t.makeApiKey(agent)
  return { fake, agent, house: await openPlatformHouse(t, { agent }) }
}

async function sweep(t: TestApp): Promise<void> {
  await pushMessages(t.ctx)
  await t.ctx.background.idle()
}

test('a message is pushed until it is accepted, never after, and nobody else’s message is', async () => {
  await using t = await startTestApp()
  const { house, fake } = await openAgent(t)
  await using _house = house
  const { phone: other } = await buyOne(t, await t.makeUser())
  const { number } = await house.ask('GET_NUMBER', WANTED)
  for (const phone of [other, String(number)]) await pushSms(t, fake, { phone })
  const refusals = [
    { status: 200, text: '{"status":"ERROR","error":"busy"}' },
    { status: 500, text: '{"status":"SUCCESS"}' },
    { status: 200, text: '<html>' },
    { status: 429, text: '' },
    { status: 302, text: '{"status":"SUCCESS"}' },
    ACCEPTED,
  ]
  let said = 0
  house.onPush = () => refusals[said++] ?? ACCEPTED
  for (const _refusal of refusals) {
    await sweep(t)
    await sweep(t)
    t.clock.advance(10 * SECOND)
  }
  await sweep(t)
  expect(house.pushed).toHaveLength(refusals.length)
  expect(new Set(house.pushed.map((push) => JSON.stringify(push))).size).toBe(1)
  expect(house.pushed[0]).toEqual({
    action: 'PUSH_SMS',
    key: 'a-key-of-the-platform',
    smsId: expect.any(Number),
    phone: number,
    phoneFrom: 'Telegram',
    text: 'Telegram code: 48213',
  })
})

test('the messages of one number are pushed one after the other, those of another number beside them', async () => {
  await using t = await startTestApp()
  const { house, fake } = await openAgent(t)
  await using _house = house
  const phones = [await house.ask('GET_NUMBER', WANTED), await house.ask('GET_NUMBER', WANTED)].map(({ number }) =>
    String(number),
  )
  for (const text of ['Telegram code: 48213', 'Telegram code: 99999'])
    for (const phone of phones) await pushSms(t, fake, { phone, text })
  const first = Promise.withResolvers<typeof ACCEPTED>()
  house.onPush = ({ phone }) => (String(phone) === phones[0] ? first.promise : ACCEPTED)
  await pushMessages(t.ctx)
  await expect.poll(() => house.pushed).toHaveLength(3)
  first.resolve(ACCEPTED)
  await t.ctx.background.idle()
  expect(house.pushed.filter(({ phone }) => String(phone) === phones[0]).map(({ text }) => text)).toEqual([
    'Telegram code: 48213',
    'Telegram code: 99999',
  ])
})

test('a refused message is not overtaken by a later one of its number, unless it is refused for a minute', async () => {
  await using t = await startTestApp()
  const { house, fake } = await openAgent(t)
  await using _house = house
  const phone = String((await house.ask('GET_NUMBER', WANTED)).number)
  const texts = ['Telegram code: 11111', 'Telegram code: 22222']
  for (const text of texts) await pushSms(t, fake, { phone, text })
  let refused = 1
  house.onPush = () => (refused-- > 0 ? { status: 500, text: '' } : ACCEPTED)
  await sweep(t)
  await sweep(t)
  t.clock.advance(10 * SECOND)
  await sweep(t)
  expect(house.pushed.map(({ text }) => text)).toEqual([texts[0], ...texts])

  const late = ['Telegram code: 33333', 'Telegram code: 44444']
  for (const text of late) await pushSms(t, fake, { phone, text })
  house.onPush = ({ text }) => (text === late[0] ? { status: 500, text: '' } : ACCEPTED)
  for (let tried = 0; tried < 7; tried += 1) {
    await sweep(t)
    t.clock.advance(10 * SECOND)
  }
  expect(house.pushed.at(-1)?.text).not.toBe(late[1])
  await sweep(t)
  await sweep(t)
  expect(house.pushed.map(({ text }) => text)).toContain(late[1])
})

test('refused messages of many numbers are not overtaken, although fewer are pushed at once than are due', async () => {
  await using t = await startTestApp()
  const { house, fake } = await openAgent(t)
  await using _house = house
  const texts = ['Telegram code: 11111', 'Telegram code: 22222']
  for (let bought = 0; bought < 11; bought += 1) {
    const phone = String((await house.ask('GET_NUMBER', WANTED)).number)
    for (const text of texts) await pushSms(t, fake, { phone, text })
  }
  house.onPush = () => ({ status: 500, text: '' })
  await sweep(t)
  t.clock.advance(10 * SECOND)
  const refused = house.pushed.length
  house.onPush = () => ACCEPTED
  for (let round = 0; round < 3; round += 1) await sweep(t)
  const accepted = Map.groupBy(house.pushed.slice(refused), ({ phone }) => phone)
  expect([...accepted.values()].map((pushes) => pushes.map(({ text }) => text))).toEqual(Array(11).fill(texts))
})

test('OP-1: an advert, a blank text and a closed notice are not pushed, and a platform pays for none of them', async () => {
  await using t = await startTestApp()
  const { house, fake, agent } = await openAgent(t)
  await using _house = house
  const { number, activationId } = await house.ask('GET_NUMBER', WANTED)
  const phone = String(number)
  await pushSms(t, fake, { phone, sender: 'AD7', text: 'Win a prize today, call us now' })
  await pushSms(t, fake, { phone, text: ' \u200b' })
  await pushSms(t, fake, { phone, text: 'Telegram: new sign-in from Berlin' })
  await sweep(t)
  expect(house.pushed).toEqual([])
  t.clock.advance(2 * MINUTE)
  // The platform reports a sale, although it never got the code.
  expect(await house.ask('FINISH_ACTIVATION', { activationId, status: 3 })).toEqual({ status: 'SUCCESS' })
  await t.ctx.background.idle()
  expect(await moneyOf(t, agent)).toEqual({ balance: '1000.00', held: '0.00' })
  await sweep(t)
  expect(house.pushed).toEqual([])
})

test('a code that comes after the money of the outlet went back is not pushed; one that was paid for is, late too', async () => {
  await using t = await startTestApp()
  const { house, fake, agent } = await openAgent(t)
  await using _house = house
  const [cancelled, paid] = [await house.ask('GET_NUMBER', WANTED), await house.ask('GET_NUMBER', WANTED)]
  await pushSms(t, fake, { phone: String(paid.number), text: 'Telegram code: 11111' })
  t.clock.advance(2 * MINUTE)
  for (const { activationId } of [cancelled, paid]) {
    expect(await house.ask('FINISH_ACTIVATION', { activationId, status: 4 })).toEqual({ status: 'SUCCESS' })
  }
  await t.ctx.background.idle()
  expect(await moneyOf(t, agent)).toEqual({ balance: '987.00', held: '0.00' })
  for (const { number } of [cancelled, paid]) {
    await pushSms(t, fake, { phone: String(number), text: 'Telegram code: 22222' })
  }
  await sweep(t)
  const pushed = house.pushed.map(({ phone, text }) => [phone, text]).toSorted()
  expect(pushed).toEqual([
    [paid.number, 'Telegram code: 11111'],
    [paid.number, 'Telegram code: 22222'],
  ])
})

test('what no platform accepts within a day is given up and told; one that hangs holds up no other', async () => {
  await using t = await startTestApp()
  const { house, fake, agent } = await openAgent(t)
  await using _house = house
  await using other = await openPlatformHouse(t, { agent, code: 'other' })
  const hang = Promise.withResolvers<typeof ACCEPTED>()
  house.onPush = () => hang.promise
  for (const each of [house, other]) {
    const { number } = await each.ask('GET_NUMBER', WANTED)
    await pushSms(t, fake, { phone: String(number) })
  }
  await pushMessages(t.ctx)
  await expect.poll(() => other.pushed.length).toBe(1)
  await pushMessages(t.ctx)
  hang.resolve({ status: 503, text: '' })
  await t.ctx.background.idle()
  expect(house.pushed).toHaveLength(1)
  t.clock.advance(DAY + SECOND)
  await sweep(t)
  t.clock.advance(DAY)
  await sweep(t)
  expect(house.pushed).toHaveLength(2)
  const { rows } = await t.ctx.db.query({ text: 'SELECT state, tries, reason FROM outlet_pushes ORDER BY outlet_id' })
  expect(rows).toEqual([
    { state: 'given_up', tries: 2, reason: 'HTTP 503' },
    { state: 'accepted', tries: 1, reason: null },
  ])
  const errors = t.log.lines.filter(({ level }) => level === 'error')
  expect(errors).toHaveLength(1)
  expect(errors[0]).toMatchObject({ fields: { outlet: 'hub', reason: 'HTTP 503' } })
})
