import { expect, test } from 'vitest'
import { buyOne, expectBooksRight } from '#test/builders/activation-rows.ts'
import { SENDERS } from '#test/fakes/webhook/senders.ts'
import { openWebhookHouse } from '#test/fakes/webhook/webhook-house.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

const REPEAT = 'POST /api/v1/activations/{id}/repeat'

test('a number of our own is sold once more to whoever had a code on it, and to nobody else for that service', async () => {
  await using t = await startTestApp()
  const sender = SENDERS.kannel
  if (sender === undefined) throw new Error('there is no such sender')
  const house = await openWebhookHouse(t, sender)
  const buyer = await t.makeUser({ balance: '1000' })
  const { token } = buyer
  const first = await buyOne(t, buyer)
  await house.post({ to: first.phone })
  await call(t, 'POST /api/v1/activations/{id}/finish', { id: first.id }, { token })
  await t.runJobs()

  const pressed = await Promise.allSettled(
    Array.from({ length: 10 }, () => call(t, REPEAT, { id: first.id }, { token })),
  )
  const bought = pressed.flatMap((one) => (one.status === 'fulfilled' ? [one.value.data] : []))
  expect(bought.map(({ phone }) => phone)).toEqual([first.phone])
  const again = bought[0]?.id ?? 0
  t.clock.advance(180_000)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: again }, { token })
  await t.runJobs()
  // The number was given back without a code, but it stays spent for the service.
  const others = await t.makeUser({ balance: '1000' })
  const taken = [await buyOne(t, others), await buyOne(t, others)].map(({ phone }) => phone)
  expect(taken).not.toContain(first.phone)
  expect((await refused(t, REPEAT, { id: first.id }, { token: others.token })).status).toBe(404)

  const { data } = await call(t, REPEAT, { id: first.id }, { token })
  await house.post({ to: first.phone, text: 'Telegram code: 77777' })
  expect(await call(t, 'GET /api/v1/activations/{id}', { id: data.id }, { token })).toMatchObject({
    data: { code: '77777' },
  })
  await call(t, 'POST /api/v1/activations/{id}/finish', { id: data.id }, { token })
  await t.runJobs()
  await t.ctx.db.query({ text: 'UPDATE smpp_numbers SET enabled = false' })
  expect((await refused(t, REPEAT, { id: first.id }, { token })).body.code).toBe('REPEAT_UNAVAILABLE')
  await expectBooksRight(t.ctx)
})
