import { expect, test } from 'vitest'
import { startTestApp } from '#test/harness.ts'

const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

// Checklist 1.2, 3.7: a number is bought, the money is held, the code captures it.
test('a buyer buys a number, and the code that comes captures the price', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const reply = await t.fetch('/api/v1/activations', {
    token: buyer.token,
    ...json({ service_id: 'tg', country_id: 2, price: '13.00' }),
  })
  expect(reply.status).toBe(201)
  const { data } = await reply.json()
  expect(data).toMatchObject({
    state: 'waiting',
    final: false,
    service: { id: 'tg', name: 'Telegram' },
    country: { id: 2, name: 'Казахстан', iso2: 'KZ', dial: '7' },
    operator: 'altel',
    price: '13.00',
    currency: 'rub',
    money: 'held',
    code: null,
    messages: [],
  })
  const user = async () => (await t.fetch('/api/user', { token: buyer.token })).json()
  expect(await user()).toMatchObject({ balance: '87.00', held: '13.00', activations: { count: 1 } })
  await t.ctx.suppliers.get(supplier.id)
  const { receiveSms } = await import('./receive-sms.ts')
  const sms = { supplierId: supplier.id, messageId: 'm1', phone: data.phone, sender: 'Telegram' }
  await receiveSms(t.ctx, { ...sms, text: 'Telegram code: 48213' })
  const list = await (await t.fetch('/api/user/active-numbers', { token: buyer.token })).json()
  expect(list).toMatchObject({
    status: true,
    numbers: { data: [{ id: data.id, state: 'received', code: '48213', money: 'captured' }], meta: { last_page: 1, total: 1 } },
    antifraud: [],
    total_count: 1,
  })
  expect(await user()).toMatchObject({ balance: '87.00', held: '0.00' })
})
