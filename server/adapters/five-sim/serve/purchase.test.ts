import { expect, test } from 'vitest'
import { DAY, MINUTE } from '#contract/time.ts'
import { expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { startFiveSimTest } from '#test/services/five-sim-service.ts'

const NANOSECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/

test('17.3: a number is bought, its code comes, it is finished, and the types are those of 5sim', async () => {
  await using f = await startFiveSimTest()
  const { status, type, body } = await f.ask('/user/buy/activation/Kazakhstan/any/telegram?reuse=1&ref=abc&voice=0')
  expect({ status, type }).toEqual({ status: 200, type: 'application/json' })
  expect(body).toEqual({
    id: 100_000_001,
    phone: expect.stringMatching(/^\+7705\d{7}$/),
    operator: 'altel',
    product: 'telegram',
    price: 13,
    status: 'PENDING',
    sms: null,
    country: 'kazakhstan',
    expires: expect.stringMatching(NANOSECONDS),
    created_at: expect.stringMatching(NANOSECONDS),
    forwarding: false,
    forwarding_number: '',
  })
  const { id, phone } = body as { id: number; phone: string }
  expect((await f.ask(`/user/check/${id}`)).body).toEqual({ ...(body as object), sms: [] })
  await f.sms(phone)
  await f.sms(phone, 'Telegram code: 99999')
  const sms = (code: string) => ({
    created_at: expect.stringMatching(NANOSECONDS),
    date: expect.stringMatching(NANOSECONDS),
    sender: 'Telegram',
    text: `Telegram code: ${code}`,
    code,
  })
  const received = { ...(body as object), status: 'RECEIVED', sms: [sms('48213'), sms('99999')] }
  const checked = await f.ask(`/user/check/${id}`)
  expect(checked.body).toEqual(received)
  const [one, other] = (checked.body as { sms: { created_at: string }[] }).sms
  expect(one?.created_at).not.toBe(other?.created_at)
  for (const _ of ['at first', 'again']) {
    expect((await f.ask(`/user/finish/${id}`)).body).toEqual({ ...received, status: 'FINISHED' })
  }
  expect((await f.ask('/user/orders?category=activation&limit=5&reverse=true')).body).toEqual({
    Data: [{ ...received, status: 'FINISHED' }],
    ProductNames: [],
    Statuses: [],
    Total: 1,
  })
  expect(await moneyOf(f.t, f.buyer)).toEqual({ balance: '87.00', held: '0.00' })
  await expectBooksRight(f.t.ctx)
})

test('17.3: a number is given back or found used, and both cost nothing', async () => {
  await using f = await startFiveSimTest()
  const [one, other] = [await f.buy(), await f.buy()]
  expect(await f.ask(`/user/cancel/${one.id}`)).toMatchObject({ status: 400, body: 'cancel too early' })
  expect((await f.ask(`/user/ban/${other.id}`)).body).toMatchObject({ status: 'BANNED', sms: [] })
  f.t.clock.advance(2 * MINUTE)
  for (const _ of ['at first', 'again']) {
    expect((await f.ask(`/user/cancel/${one.id}`)).body).toMatchObject({ id: one.id, status: 'CANCELED' })
  }
  expect(await moneyOf(f.t, f.buyer)).toEqual({ balance: '100.00', held: '0.00' })
  await expectBooksRight(f.t.ctx)
})

test('17.3: a number that was finished is bought once more, and not after thirty days', async () => {
  await using f = await startFiveSimTest()
  f.supplier.repeats = true
  const { id, phone } = await f.buy()
  const reuse = `/user/reuse/telegram/${phone.slice(1)}`
  expect((await f.ask(reuse)).body).toBe('reuse not possible')
  await f.sms(phone)
  await f.ask(`/user/finish/${id}`)
  const again = await f.ask(reuse)
  expect(again.body).toMatchObject({ id: id + 1, phone, status: 'PENDING', sms: null })
  await f.sms(phone, 'Telegram code: 1234')
  await f.ask(`/user/finish/${id + 1}`)
  f.t.clock.advance(30 * DAY)
  expect((await f.ask(reuse)).body).toBe('reuse expired')
  expect((await f.ask(`/user/reuse/nothing/${phone}`)).body).toBe('no product')
})

test('17.3: a number once more: not above a price limit, and its key tells the order, whatever became of both since', async () => {
  await using f = await startFiveSimTest()
  f.supplier.repeats = true
  const { id, phone } = await f.buy()
  await f.sms(phone)
  await f.ask(`/user/finish/${id}`)
  const reuse = `/user/reuse/telegram/${phone.slice(1)}`
  const limit = (price: number) => {
    const body = JSON.stringify({ product_name: 'telegram', price })
    return f.ask('/user/max-prices', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  }
  await limit(12.99)
  expect((await f.ask(reuse)).body).toBe('no free phones')
  expect((await f.ask(`${reuse}?maxPrice=12.99`)).body).toBe('no free phones')
  expect((await limit(13.100000000000001)).body).toEqual({ success: true })
  const once = { headers: { 'idempotency-key': 'reuse-0001' } }
  expect((await f.ask(reuse, once)).body).toMatchObject({ id: id + 1, phone, price: 13, sms: null })
  await limit(1)
  await f.sms(phone, 'Telegram code: 1234')
  const told = { id: id + 1, sms: [{ code: '1234' }] }
  expect((await f.ask(reuse, once)).body).toMatchObject({ ...told, status: 'RECEIVED' })
  await f.ask(`/user/finish/${id + 1}`)
  expect((await f.ask(reuse, once)).body).toMatchObject({ ...told, status: 'FINISHED' })
  expect((await f.ask('/user/reuse/telegram/79990001122', once)).body).toBe('bad request')
  expect(await moneyOf(f.t, f.buyer)).toEqual({ balance: '74.00', held: '0.00' })
  await expectBooksRight(f.t.ctx)
})
