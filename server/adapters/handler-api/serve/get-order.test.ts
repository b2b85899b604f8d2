import { expect, test } from 'vitest'
import { cancelActivation } from '#server/core/numbers/activations/cancel.ts'
import { startProtocolTest } from '#test/services/handler-api-service.ts'

const tg = { service: 'tg', country: '2' }

test('an order is found by its name, with each of its messages, also after its end', async () => {
  await using p = await startProtocolTest()
  const order = async (orderId: string): Promise<Record<string, unknown>> =>
    JSON.parse(await p.ask('getOrder', { orderId }))
  expect(await order('A-1')).toEqual({ status: 'success', order: 'none' })
  const { id, phone } = await p.buy({ orderId: 'A-1' })
  expect(await order('A-1')).toMatchObject({
    order: 'open',
    activationId: id,
    phoneNumber: phone,
    activationCost: 13,
    orderId: 'A-1',
    messages: [],
    serviceCode: 'tg',
    countryCode: '2',
    activationStatus: '4',
  })
  await p.sms(phone, 'Telegram code: 11111')
  await p.ask('setStatus', { id, status: '3' })
  await p.sms(phone, 'Telegram code: 22222')
  const messages = [
    { from: 'Telegram', text: 'Telegram code: 11111', code: '11111' },
    { from: 'Telegram', text: 'Telegram code: 22222', code: '22222' },
  ]
  const [row] = (JSON.parse(await p.ask('getActiveActivations')) as { data: { messages: { id: string }[] }[] }).data
  expect(row).toMatchObject({ orderId: 'A-1', smsCode: '22222', messages })
  expect(new Set(row?.messages.map((message) => message.id)).size).toBe(2)
  await p.ask('setStatus', { id, status: '6' })
  expect(await order('A-1')).toMatchObject({ order: 'ended', activationId: id, messages })
})

test('an order that failed never was; one that is being asked is pending; and somebody else’s does not exist', async () => {
  await using p = await startProtocolTest()
  p.supplier.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  expect(await p.ask('getNumber', { ...tg, orderId: 'B' })).toBe('NO_NUMBERS')
  expect(await p.ask('getOrder', { orderId: 'B' })).toBe('{"status":"success","order":"none"}')
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  p.supplier.onBuy = async (order) => {
    asked.resolve()
    await answered.promise
    return p.supplier.sell(order)
  }
  const buying = p.buy({ orderId: 'C' })
  await asked.promise
  expect(await p.ask('getOrder', { orderId: 'C' })).toBe('{"status":"success","order":"pending"}')
  answered.resolve()
  const { id } = await buying
  const stranger = await p.t.makeApiKey(await p.t.makeUser())
  const reply = await p.t.fetch(`/stubs/handler_api.php?api_key=${stranger}&action=getOrder&orderId=C`)
  expect(await reply.text()).toBe('{"status":"success","order":"none"}')
  expect(await p.ask('getOrder')).toBe('BAD_DATA')
  expect(await p.ask('getOrder', { orderId: 'x'.repeat(101) })).toBe('BAD_DATA')
  p.t.clock.advance(120_000)
  const { phone } = p.supplier.sold.get(`${id}-1`) ?? { phone: '' }
  await cancelActivation(p.t.ctx, { activationId: Number(id), userId: p.buyer.id })
  await p.sms(phone, 'Telegram code: 33333')
  expect(JSON.parse(await p.ask('getOrder', { orderId: 'C' }))).toMatchObject({ order: 'ended', messages: [] })
})
