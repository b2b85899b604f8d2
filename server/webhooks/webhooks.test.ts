import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { sendDue } from '#server/webhooks/sending/send-due.ts'
import { pushSms } from '#test/builders/activation-rows.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { createTestClock } from '#test/harness/test-clock.ts'
import { startReceiver } from './test-receiver.ts'

const MAKE = 'POST /api/v1/webhooks'
const LIST = 'GET /api/v1/webhooks'
const DELIVERIES = 'GET /api/v1/webhooks/{id}/deliveries'
const BUY = 'POST /api/v1/activations'

/** The verifier of Standard Webhooks looks at the time of the machine. */
const startHooked = () =>
  startTestApp({
    environment: { OUTBOUND_PRIVATE_HOSTS: '127.0.0.1' },
    clock: createTestClock(new Date().toISOString()),
  })

test('17.5: a code reaches a program signed, and its log says so', async () => {
  await using t = await startHooked()
  await using receiver = await startReceiver()
  const user = await t.makeUser()
  const { data, secret } = await call(t, MAKE, { label: 'Shop', url: receiver.url }, user)
  const supplier = await t.addFake()
  const order = (await call(t, BUY, { service_id: 'tg', country_id: 2 }, user)).data
  await pushSms(t, supplier, { phone: order.phone ?? '', sender: 'Telegram', text: 'Your code: 48213' })
  await sendDue(t.ctx)
  const [one, ...others] = receiver.received
  expect(others).toEqual([])
  const told = new Webhook(secret ?? '').verify(one?.body ?? '', one?.headers as Record<string, string>)
  expect(told).toMatchObject({
    type: 'code.received',
    timestamp: t.clock.now().toISOString(),
    data: {
      ...{ order: 'activation', id: order.id, service_id: 'tg', country_id: 2, phone: order.phone },
      message: { sender: 'Telegram', text: 'Your code: 48213', code: '48213' },
    },
  })
  const log = (await call(t, DELIVERIES, { id: data.id }, user)).data
  expect(log).toMatchObject([{ event: 'code.received', state: 'delivered', tries: 1, status: 204, body: one?.body }])
  expect((await call(t, LIST, {}, user)).data).toEqual([data])
})
