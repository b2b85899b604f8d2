import { expect, test, vi } from 'vitest'
import { sumLosses } from '#server/adapters/shared/resold/queries/accounts.ts'
import { askForAnotherCode } from '#server/core/numbers/activations/ask-another-code.ts'
import { cancelActivation } from '#server/core/numbers/activations/cancel.ts'
import { finishActivation } from '#server/core/numbers/activations/finish.ts'
import { findActivation } from '#server/core/numbers/activations/queries/read.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { buyActivation } from '#server/core/numbers/purchase/buy.ts'
import { expectBooksRight } from '#test/builders/activation-rows.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { createResellSupplier } from '../handler-api-supplier.ts'

/** Installation A resells numbers of installation B, which resells numbers of a fake supplier. */
async function openChain() {
  await using stack = new AsyncDisposableStack()
  const b = stack.use(await startTestApp())
  const fake = await b.addFake()
  const reseller = await b.makeUser({ balance: '1000' })
  const key = await b.makeApiKey(reseller)
  const a = stack.use(await startTestApp({ clock: b.clock }))
  const settings = {
    url: `${b.url}/stubs/handler_api.php`,
    key,
    dialect: 'ringpost',
    currency: 'rub',
    privateHost: true,
    callsPerSecond: 100,
    pollSeconds: 0.02,
  }
  const supplier = await a.addReal(createResellSupplier, { code: 'b', kind: 'handler-api', settings })
  const buyer = await a.makeUser({ balance: '1000' })
  const kept = stack.move()
  const sms = (phone: string, text: string, messageId: string | null = null) =>
    receiveSms(b.ctx, { supplierId: fake.id, messageId, phone, sender: 'Telegram', text })
  return { a, b, fake, supplier, buyer, reseller, sms, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

const wanted = { serviceCode: 'tg', countryId: 2, operator: null, currency: 'rub', channel: 'site' } as const

async function buy(t: TestApp, { id }: TestUser) {
  const { activation } = await buyActivation(t.ctx, { ...wanted, userId: id })
  return { activationId: Number(activation.id), userId: id, phone: activation.phone ?? '', row: activation }
}

async function waitForState(t: TestApp, which: { activationId: number; userId: number }, state: string) {
  const find = () => findActivation(t.ctx.db, { id: which.activationId, userId: which.userId })
  await vi.waitUntil(async () => (await find())?.state === state, { timeout: 10_000, interval: 10 })
  return find()
}

test('numbers of another service of this kind are sold with their codes, another code, and an end', async () => {
  await using chain = await openChain()
  const { a, b, buyer, sms } = chain
  const bought = await buy(a, buyer)
  expect(bought.row).toMatchObject({ price_micros: 16_900_000n, cost_limit_micros: 13_000_000n, operator: 'mixed' })
  await sms(bought.phone, 'Telegram code: 12345', 'one')
  expect(await waitForState(a, bought, 'received')).toMatchObject({ code: '12345', sms_count: 1 })
  await askForAnotherCode(a.ctx, bought)
  await sms(bought.phone, 'Telegram code: 12345', 'two')
  expect(await waitForState(a, bought, 'received')).toMatchObject({ code: '12345', sms_count: 2 })
  await finishActivation(a.ctx, bought)
  await a.runJobs()
  const { rows } = await b.ctx.db.query({ text: 'SELECT state, money FROM activations' })
  expect(rows).toEqual([{ state: 'finished', money: 'captured' }])
  await expectBooksRight(a.ctx)
  await expectBooksRight(b.ctx)
})

test('what is cancelled here is cancelled there, as soon as it may be', async () => {
  await using chain = await openChain()
  const { a, b, buyer, fake } = chain
  const bought = await buy(a, buyer)
  a.clock.advance(120_000)
  await cancelActivation(a.ctx, bought)
  await a.runJobs()
  await b.runJobs()
  expect(fake.ended.map(({ ending }) => ending)).toEqual(['cancelled'])
  await expectBooksRight(a.ctx)
  await expectBooksRight(b.ctx)
})

test('OP-1: in a chain an advert is charged by neither service, and a code after it by both', async () => {
  await using chain = await openChain()
  const { a, b, buyer, fake, sms } = chain
  const bought = await buy(a, buyer)
  const advert = { supplierId: fake.id, messageId: 'ad', phone: bought.phone, sender: 'AD7' }
  await receiveSms(b.ctx, { ...advert, text: 'Win a prize today, call us now' })
  await sms(bought.phone, 'Telegram: new sign-in from Berlin', 'notice')
  await sms(bought.phone, 'Telegram code: 12345', 'code')
  expect(await waitForState(a, bought, 'received')).toMatchObject({ code: '12345', sms_count: 1 })
  await finishActivation(a.ctx, bought)
  await a.runJobs()
  expect(await sumLosses(a.ctx.db, chain.supplier.id)).toEqual({ codes: 0n, micros: 0n })
  const charged = await b.ctx.db.query({ text: 'SELECT state, money, code FROM activations' })
  expect(charged.rows).toEqual([{ state: 'finished', money: 'captured', code: '12345' }])
  await expectBooksRight(a.ctx)
  await expectBooksRight(b.ctx)
})

test('what arrives at the other after it was told to be none is given back; a name used before buys nothing', async () => {
  await using chain = await openChain()
  const { a, b, buyer, reseller, supplier } = chain
  const { signal } = new AbortController()
  await buy(a, buyer)
  const { rows } = await a.ctx.db.query<{ marker: string }>({ text: 'SELECT marker FROM resell_accounts' })
  const nameOf = (reference: string) => `order:${rows[0]?.marker}-${reference}`
  const order = { ...wanted, userId: reseller.id, channel: 'handler_api' } as const
  // The request was in flight for longer than any caller waits.
  expect(await supplier.find('900-1', signal)).toEqual({ outcome: 'none' })
  const { activation } = await buyActivation(b.ctx, { ...order, idempotencyKey: nameOf('900-1') })
  const stray = { activationId: Number(activation.id), userId: reseller.id }
  // The cancellation is refused in the first two minutes and succeeds at the next poll.
  await vi.waitUntil(() => a.log.lines.some(({ sentence }) => sentence.includes('is given back')), { timeout: 10_000 })
  b.clock.advance(120_000)
  await waitForState(b, stray, 'cancelled')

  // A database restored from yesterday's backup reuses order numbers, so the order of that name is an earlier one.
  await buyActivation(b.ctx, { ...order, idempotencyKey: nameOf('901-1') })
  b.clock.advance(600_000)
  await a.ctx.db.query({
    text: `INSERT INTO resold_orders (supplier_id, reference, state, service, country, cost_micros, asked_at)
      VALUES ($1, '901-1', 'asking', 'tg', '2', 13000000, $2)`,
    values: [supplier.id, b.clock.now()],
  })
  expect(await supplier.find('901-1', signal)).toEqual({ outcome: 'none' })
  await expectBooksRight(b.ctx)
})

test('what a fail-over of PostgreSQL lost is given back; a copy of the database gives nothing back', async () => {
  await using chain = await openChain()
  const { a, b, buyer, reseller, supplier } = chain
  await buy(a, buyer)
  const { rows } = await a.ctx.db.query<{ marker: string }>({ text: 'SELECT marker FROM resell_accounts' })
  const buyThere = async (reference: string) => {
    const idempotencyKey = `order:${rows[0]?.marker}-${reference}`
    const order = { ...wanted, userId: reseller.id, channel: 'handler_api', idempotencyKey } as const
    const { activation } = await buyActivation(b.ctx, order)
    b.clock.advance(120_000)
    return { activationId: Number(activation.id), userId: reseller.id }
  }
  // Nothing of ours knows this name.
  const lost = await buyThere('902-1')
  // Once the second of two strays was given back, a whole poll has passed the lost order over.
  for (const reference of ['903-1', '904-1']) {
    expect(await supplier.find(reference, new AbortController().signal)).toEqual({ outcome: 'none' })
    await waitForState(b, await buyThere(reference), 'cancelled')
  }
  expect((await findActivation(b.ctx.db, { id: lost.activationId, userId: lost.userId }))?.state).toBe('waiting')
  await a.ctx.db.query({
    text: 'INSERT INTO timelines (system_identifier, timeline, is_fail_over) VALUES (1, 2, true)',
  })
  await waitForState(b, lost, 'cancelled')
  await expectBooksRight(b.ctx)
})
