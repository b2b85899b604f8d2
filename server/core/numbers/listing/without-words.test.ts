import { expect, test } from 'vitest'
import { sendDue } from '#server/core/webhooks/sending/send-due.ts'
import { calls } from '#server/programs/app.ts'
import { buyOne, count, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { startReceiver } from '#test/fakes/webhook-receiver.ts'
import { call, send } from '#test/harness/calls.ts'
import { deliveriesOf, hook, startHooked } from '#test/services/webhook-service.ts'

const REPLAY = 'POST /api/v1/webhooks/{id}/deliveries/{delivery}/replay'

test('1.11: a key that may buy and not read is told no words of messages, by no call of any protocol', async () => {
  await using t = await startHooked()
  await using receiver = await startReceiver()
  const supplier = await addRenting(t)
  supplier.repeats = true
  const owner = await t.makeUser({ balance: '5000' })
  const webhook = await hook(t, owner, { url: receiver.url })
  const [number, rented] = [await buyOne(t, owner), await rentOne(t, owner)]
  for (const { phone } of [number, rented]) await pushSms(t, supplier, { phone, text: 'Telegram code: 48213' })
  await sendDue(t.ctx)
  const [delivery] = await deliveriesOf(t, owner, webhook.id)
  const keyOf = async (scopes: ('read' | 'buy')[]) => ({
    token: (await call(t, 'POST /api/v1/keys', { name: 'Shop', scopes }, owner)).secret,
  })
  const [buyer, both] = [await keyOf(['buy']), await keyOf(['read', 'buy'])]
  const told: string[] = []
  const ask = async (key: string, input: object, asker: { token: string }) => {
    const { response, body } = await send(t, key, input, {
      ...asker,
      idempotencyKey: `press-${key.replaceAll(/\W/g, '-')}`,
    })
    if (response.ok) told.push(key)
    return JSON.stringify(body)
  }
  const paid = calls.filter(
    ({ key, scope }) => scope === 'buy' && /activations|rentals/.test(key) && !key.includes('bulk'),
  )
  // The calls that end an order come last, because an ended rental cannot be extended.
  const isEnd = ({ key }: { key: string }) => key.endsWith('finish')
  for (const { key } of paid.toSorted((a, b) => Number(isEnd(a)) - Number(isEnd(b)))) {
    const id = key.includes('rentals') ? rented.id : number.id
    const input = key.includes('{id}') ? { id } : { service_id: key.includes('rentals') ? 'full' : 'tg', country_id: 2 }
    const length = /rentals$|extend$/.test(key) ? { period: 4 } : {}
    expect([key, await ask(key, { ...input, ...length }, buyer)]).toEqual([key, expect.not.stringContaining('48213')])
  }
  expect(told).toEqual(
    expect.arrayContaining(['again', 'finish'].map((verb) => `POST /api/v1/activations/{id}/${verb}`)),
  )
  expect(told).toEqual(expect.arrayContaining(['extend', 'finish'].map((verb) => `POST /api/v1/rentals/{id}/${verb}`)))
  const ended = `/v1/user/finish/${number.id}`
  expect(await (await t.fetch(ended, buyer)).json()).toMatchObject({ id: number.id, status: 'FINISHED', sms: [] })
  const replayed = { id: webhook.id, delivery: delivery?.id ?? 0 }
  expect(delivery?.body).toContain('48213')
  expect((await send(t, REPLAY, replayed, buyer)).body).toMatchObject({ code: 'FORBIDDEN' })

  expect(await (await t.fetch(ended, both)).text()).toContain('48213')
  expect(await ask('POST /api/v1/activations/{id}/finish', { id: number.id }, both)).toContain('48213')
  expect(await ask(REPLAY, replayed, both)).toContain('48213')
  expect(await count(t.ctx, 'activations WHERE user_id = $1', [owner.id])).toBeGreaterThan(1)
})
