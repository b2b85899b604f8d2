import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { pushSms } from '#test/builders/activation-rows.ts'
import { ACCEPTED, openPlatformHouse, PLATFORM_KEY } from '#test/fakes/sim-bank/platform-house.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { carryOut } from './end-order.ts'
import { pushMessages } from './push-messages.ts'

const WANTED = { country: 'kazakhstan', operator: 'any', service: 'tg', sum: 20, currency: 643 }
const OTHER = 'another-key-of-the-platform'

async function openAgent(t: TestApp) {
  const fake = await t.addFake('modems')
  const agent = await t.makeUser({ balance: '1000' })
  await t.makeApiKey(agent)
  return { fake, agent, house: await openPlatformHouse(t, { agent }) }
}

async function push(t: TestApp): Promise<void> {
  await pushMessages(t.ctx)
  await t.ctx.background.idle()
}

const BAD_KEY = { http: 403, status: 'ERROR', error: 'BAD_KEY' }

test('an outlet that is rotated takes both keys until the time is over, and pushes with the one that the platform knows', async () => {
  await using t = await startTestApp()
  const { house, fake } = await openAgent(t)
  await using _house = house
  const rotated = await typed(t.database, 'outlet:rotate', 'hub', '--hours', '2', '--key', OTHER, ...WHY)
  expect([rotated.code, rotated.out.includes(OTHER)]).toEqual([0, false])
  const again = await typed(t.database, 'outlet:rotate', 'hub', '--hours', '2', ...WHY)
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('The key before this one holds until')])
  const asked = (key: string) => house.ask('GET_NUMBER', { ...WANTED, key })
  const numbers = [await asked(PLATFORM_KEY), await asked(OTHER)].map(({ number }) => String(number))
  expect(await asked('whoever-else')).toEqual(BAD_KEY)
  const isKnown = (key: string) => house.pushed.at(-1)?.key === key
  house.onPush = () =>
    isKnown(PLATFORM_KEY) ? ACCEPTED : { status: 403, text: '{"status":"ERROR","error":"BAD_KEY"}' }
  await pushSms(t, fake, { phone: numbers[0] ?? '' })
  await push(t)
  expect(house.pushed.map(({ key }) => key)).toEqual([OTHER, PLATFORM_KEY])
  // The refusal "busy" is not retried with another key, because only BAD_KEY is.
  house.onPush = () => ({ status: 200, text: '{"status":"ERROR","error":"busy"}' })
  await pushSms(t, fake, { phone: numbers[1] ?? '' })
  await push(t)
  house.onPush = () => (isKnown(OTHER) ? ACCEPTED : { status: 403, text: '' })
  t.clock.advance(10 * SECOND)
  await push(t)
  expect(house.pushed.slice(2).map(({ key }) => key)).toEqual([OTHER, OTHER])
  // The command line uses the clock of the machine.
  const until = new Date(/until (\S+Z)/.exec(rotated.out)?.[1] ?? '').getTime()
  t.clock.advance(until - t.clock.now().getTime() - SECOND)
  expect(await house.ask('GET_SERVICES', { key: PLATFORM_KEY })).toMatchObject({ status: 'SUCCESS' })
  t.clock.advance(SECOND)
  expect([await asked(PLATFORM_KEY), (await asked(OTHER)).status]).toEqual([BAD_KEY, 'SUCCESS'])
})

test('a key that is replaced at once ends the one before it as well', async () => {
  await using t = await startTestApp()
  const { house } = await openAgent(t)
  await using _house = house
  await typed(t.database, 'outlet:rotate', 'hub', '--hours', '24', '--key', OTHER, ...WHY)
  await typed(t.database, 'outlet:set', 'hub', 'key=a-third-key-of-it', ...WHY)
  const answers = [PLATFORM_KEY, OTHER, 'a-third-key-of-it'].map((key) => house.ask('GET_SERVICES', { key }))
  expect((await Promise.all(answers)).map(({ status, error }) => error ?? status)).toEqual([
    'BAD_KEY',
    'BAD_KEY',
    'SUCCESS',
  ])
  for (const wish of [
    [`previousKey={"key":"${OTHER}","until":"2099-01-01T00:00:00Z"}`],
    ['previousKey.until=2099-01-01T00:00:00Z', 'previousKey.key=whatever-key', 'key=a-fourth-key-of-it'],
  ]) {
    const { code, err } = await typed(t.database, 'outlet:set', 'hub', ...wish, ...WHY)
    expect([code, err]).toEqual([1, expect.stringContaining('previousKey can only be ended')])
  }
  await typed(t.database, 'outlet:rotate', 'hub', '--hours', '24', ...WHY)
  expect((await typed(t.database, 'outlet:set', 'hub', 'previousKey=null', ...WHY)).code).toBe(0)
  expect((await house.ask('GET_SERVICES', { key: 'a-third-key-of-it' })).error).toBe('BAD_KEY')
  for (const hours of ['0', '169', '1.5', 'x']) {
    expect((await typed(t.database, 'outlet:rotate', 'hub', '--hours', hours, ...WHY)).code).toBe(2)
  }
})

test('an outlet is removed once it is paused and nothing of it is open; then nobody hears of it', async () => {
  await using t = await startTestApp()
  const { house, fake, agent } = await openAgent(t)
  await using _house = house
  const { number, activationId } = await house.ask('GET_NUMBER', WANTED)
  const remove = () => typed(t.database, 'outlet:remove', 'hub', ...WHY)
  const refusal = async () => {
    const { code, err } = await remove()
    return code === 0 ? null : err
  }
  expect(await refusal()).toContain('a minute before it is removed')
  await typed(t.database, 'outlet:pause', 'hub', ...WHY)
  expect(await refusal()).toContain('a minute before it is removed')
  t.clock.advance(2 * MINUTE)
  await t.ctx.db.query({ text: `UPDATE outlets SET paused_at = paused_at - interval '1 hour'` })
  expect(await refusal()).toContain('1 orders of hub are open')
  house.onPush = () => ({ status: 500, text: '' })
  await pushSms(t, fake, { phone: String(number) })
  await push(t)
  await t.ctx.db.query({ text: `UPDATE outlet_orders SET told = 3, told_at = now()` })
  await t.ctx.db.query({ text: `UPDATE activations SET state = 'finished', ended_at = now()` })
  expect(await refusal()).toContain('1 endings that hub told are not done yet')
  await carryOut(t.ctx)
  expect(await refusal()).toContain('1 messages are not accepted by hub yet')
  house.onPush = () => ACCEPTED
  t.clock.advance(10 * SECOND)
  await push(t)
  // A message that has just arrived is not queued yet.
  await pushSms(t, fake, { phone: String(number), text: 'Telegram code: 66666' })
  await t.ctx.db.query({ text: `UPDATE outlet_orders SET watched_until = now() + interval '1 hour'` })
  expect(await refusal()).toContain('1 messages are not accepted by hub yet')
  await push(t)
  expect(await refusal()).toBeNull()
  expect(await refusal()).toContain('There is no outlet hub')
  expect(await house.ask('GET_SERVICES')).toEqual(BAD_KEY)
  const before = house.pushed.length
  await pushSms(t, fake, { phone: String(number), text: 'Telegram code: 55555' })
  await push(t)
  expect(house.pushed).toHaveLength(before)
  const { rows } = await t.ctx.db.query<{ settings: object; orders: bigint }>({
    text: `SELECT settings, (SELECT count(*) FROM outlet_orders WHERE activation_id = $1) AS orders FROM outlets`,
    values: [activationId],
  })
  expect(rows).toEqual([{ settings: {}, orders: 1n }])
  await expect(openPlatformHouse(t, { agent })).rejects.toThrow('There is already an outlet hub')
})
