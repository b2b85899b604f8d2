import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { DAY, SECOND } from '#contract/time.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { startJobs } from '#server/house/jobs/runner.ts'
import { NO_NODE } from '#server/house/nodes/node.ts'
import { telegramTasks } from '#server/surfaces/telegram/tasks.ts'
import { buyOne, count, pushSms } from '#test/builders/activation-rows.ts'
import { linkChat, takeIn, workOff, workOffInOrder } from '#test/builders/telegram.ts'
import { openTelegramHouse, refuse } from '#test/fakes/telegram/telegram-house.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { followUpdates, webhookSecret } from './follow-updates.ts'

const SECRET = 'x-telegram-bot-api-secret-token'

function deliver(t: TestApp, update: unknown, secret?: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(secret !== undefined && { [SECRET]: secret }) }
  return t.fetch('/telegram/updates', { method: 'POST', headers, body: JSON.stringify(update) })
}

test('polled updates are stored before the next call confirms them, and none is answered twice', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const { work, stop } = followUpdates(t.ctx)
  house.write(1, 'hello')
  house.write(2, 'hello')
  // The fake Telegram repeats updates that were not confirmed, as after a crash between the two polls.
  await work()
  const [first] = house.updates
  await work()
  expect(house.updates).toEqual([])
  house.updates = [first ?? {}]
  await workOff(t)
  await work()
  await workOff(t)
  expect(house.sent.map(({ chatId }) => chatId).toSorted()).toEqual([1, 2])
  expect(house.calls.map(({ method }) => method)[0]).toBe('deleteWebhook')
  stop()
  await work()
  expect(house.faults).toEqual([])
})

test('a stop ends a call that waits for updates', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const { work, stop } = followUpdates(t.ctx)
  const waits = Promise.withResolvers<void>()
  house.misbehave = (method) => {
    if (method !== 'getUpdates') return false
    waits.resolve()
    return true
  }
  const turn = work()
  await waits.promise
  stop()
  await turn
  expect(t.log.lines.filter(({ level }) => level === 'warn')).toEqual([])
})

test('an outage of Telegram is logged once, waited for longer and longer, and 429 as long as it says', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const { work } = followUpdates(t.ctx)
  const asked = () => house.calls.filter(({ method }) => method === 'getUpdates').length
  house.misbehave = (method, reply) => {
    if (method !== 'getUpdates') return false
    reply.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>')
    return true
  }
  const warned = () => t.log.lines.filter(({ sentence }) => sentence === 'updates of Telegram cannot be had').length
  for (let n = 0; n < 3; n += 1) await work()
  expect([asked(), warned()]).toEqual([1, 1])
  t.clock.advance(SECOND)
  for (let n = 0; n < 3; n += 1) await work()
  expect([asked(), warned()]).toEqual([2, 1])
  house.misbehave = (method, reply) => {
    if (method === 'getUpdates') refuse(reply, 429, 'Too Many Requests: retry after 30', 30)
    return method === 'getUpdates'
  }
  t.clock.advance(2 * SECOND)
  await work()
  t.clock.advance(29 * SECOND)
  await work()
  expect(asked()).toBe(3)
  house.misbehave = null
  t.clock.advance(SECOND)
  await work()
  expect([asked(), warned()]).toEqual([4, 1])
  expect(inspect(t.log.lines, { depth: null })).not.toContain(house.environment.TELEGRAM_BOT_TOKEN)
})

test('many long updates are taken in turn, and one that is too long even alone is passed over', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const { work } = followUpdates(t.ctx)
  // Ten updates of this length exceed the size limit of a reply, and a single update does not.
  for (let n = 0; n < 12; n += 1) house.write(1, 'hello', { padding: 'x'.repeat(2_000_000) })
  await work()
  expect(await count(t.ctx, 'telegram_updates')).toBe(1)
  await work()
  for (const update of house.updates) update.message = undefined
  for (let n = 0; n < 2; n += 1) await work()
  expect([await count(t.ctx, 'telegram_updates'), house.updates]).toEqual([12, []])
  const warned = () => t.log.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields)
  expect(warned()).toEqual([])
  const { update_id: updateId } = house.write(1, 'hello', { padding: 'x'.repeat(17_000_000) })
  house.write(2, 'hello')
  // The ids have a gap, as after updates that were not requested.
  for (const update of house.updates) update.update_id = Number(update.update_id) + 5
  await work()
  expect(warned()).toMatchObject([{ updateId: Number(updateId) + 5 }])
  await work()
  await workOff(t)
  expect(house.sent.filter(({ chatId }) => chatId === 2)).toHaveLength(1)
  expect(house.faults).toEqual([])
})

test('the webhook takes what has its secret: forged updates find no door, repeated ones do nothing', async () => {
  await using house = await openTelegramHouse({ TELEGRAM_UPDATES: 'webhook', PUBLIC_URL: 'https://ringpost.test' })
  await using t = await startTestApp({ environment: house.environment })
  const { work } = followUpdates(t.ctx)
  await work()
  await work()
  const secret = webhookSecret(t.ctx)
  expect(house.webhook).toMatchObject({ url: 'https://ringpost.test/telegram/updates', secret_token: secret })
  expect(house.calls).toHaveLength(1)
  const update = house.write(1, 'hello')
  for (const forged of [undefined, '', 'x', secret.slice(1), `${secret}0`]) {
    expect((await deliver(t, update, forged)).status).toBe(404)
  }
  expect(await count(t.ctx, 'telegram_updates')).toBe(0)
  const statuses = await Promise.all(Array.from({ length: 5 }, () => deliver(t, update, secret)))
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  await workOff(t)
  expect((await deliver(t, update, secret)).status).toBe(200)
  await workOff(t)
  expect(house.sent).toHaveLength(1)
})

test('what is no message of a private chat is stored and left alone, whatever it looks like', async () => {
  await using house = await openTelegramHouse({ TELEGRAM_UPDATES: 'webhook' })
  await using t = await startTestApp({ environment: house.environment })
  const secret = webhookSecret(t.ctx)
  const from = { id: 5, first_name: 'A' }
  const strange = [
    { update_id: 1, message: { chat: { id: -5, type: 'group' }, from, text: '/stop' } },
    { update_id: 2, message: { chat: { id: 6, type: 'private' }, from, text: '/stop' } },
    { update_id: 3, message: { chat: { id: 5, type: 'private' }, from } },
    { update_id: 4, callback_query: { id: 'x', from, data: 'x'.repeat(65) } },
    {
      update_id: 5,
      callback_query: { id: 'x', from, data: 'done:1', message: { message_id: 1, chat: { id: 7, type: 'private' } } },
    },
    { update_id: 6, poll: {} },
  ]
  for (const update of strange) expect((await deliver(t, update, secret)).status).toBe(200)
  for (const nothing of [{}, [], { update_id: 'x' }, { update_id: -1 }, { update_id: 1e300 }]) {
    expect((await deliver(t, nothing, secret)).status).toBeLessThan(500)
  }
  await workOff(t)
  expect(house.calls).toEqual([])
  expect(await count(t.ctx, 'telegram_updates WHERE processed_at IS NOT NULL')).toBe(6)
  // Four days are longer than Telegram repeats updates.
  t.clock.advance(4 * DAY)
  await cleanUp(t.ctx)
  expect(await count(t.ctx, 'telegram_updates')).toBe(0)
})

test('whoever writes on and on is answered ten times, and then as fast as the limit lets', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  for (let n = 0; n < 30; n += 1) house.write(1, '\0 <b>&\ud800')
  house.write(2, 'hello')
  await takeIn(t)
  await workOffInOrder(t)
  expect(house.sent.filter(({ chatId }) => chatId === 1)).toHaveLength(10)
  expect(house.sent.filter(({ chatId }) => chatId === 2)).toHaveLength(1)
  expect(house.faults).toEqual([])
})

test('a Telegram that hangs, in updates, codes and notices alike, delays no other lane', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const supplier = await t.addFake()
  for (const person of [1, 2]) {
    const user = await t.makeUser()
    await linkChat(t, house, { user, person })
    await pushSms(t, supplier, { phone: (await buyOne(t, user)).phone })
  }
  for (let person = 1; person <= 6; person += 1) house.write(person, 'hello')
  await takeIn(t)
  const hanging: ServerResponse[] = []
  const three = Promise.withResolvers<void>()
  house.misbehave = (method, reply) => {
    if (method !== 'sendMessage') return false
    if (hanging.push(reply) === 3) three.resolve()
    return true
  }
  const met = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // Each of the two jobs ends only after both have started, so they must run at the same time.
  const meet = async (payload: unknown) => {
    met[Number(payload)]?.resolve()
    await Promise.all(met.map(({ promise }) => promise))
  }
  const lanes = [
    { hands: 3, tasks: telegramTasks(t.ctx) },
    { hands: 2, tasks: { meet } },
  ]
  const jobs = await startJobs({ pool: t.ctx.db, log: t.ctx.log, lanes, nodeId: NO_NODE })
  await three.promise
  await t.ctx.db.query({ text: `SELECT graphile_worker.add_job('meet', to_json(n)) FROM generate_series(0, 1) n` })
  await Promise.all(met.map(({ promise }) => promise))
  expect(hanging).toHaveLength(3)
  house.misbehave = null
  for (const reply of hanging) reply.destroy()
  await jobs.stop()
})
