import { expect, test } from 'vitest'
import { DAY, MINUTE } from '#contract/time.ts'
import { createSmppSupplier } from '#server/adapters/smpp/smpp-supplier.ts'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { count } from '#test/builders/activation-rows.ts'
import { bindGateway } from '#test/fakes/smpp/bound-gateway.ts'
import { SENDERS } from '#test/fakes/webhook/senders.ts'
import { openWebhookHouse } from '#test/fakes/webhook/webhook-house.ts'
import { send } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { addNumbers } from './numbers.ts'

const RANGE = 3

test('one account that buys and cancels spends no number of a range, and is offered each once for a service', async () => {
  await using t = await startTestApp()
  const kannel = SENDERS.kannel
  if (kannel === undefined) throw new Error('no Kannel')
  const { supplier } = await openWebhookHouse(t, kannel)
  const makeBuyer = async () => ({ token: await t.makeApiKey(await t.makeUser({ balance: '20.00' })) })
  const buy = async (who: { token: string }) => {
    const { body } = await send(t, 'POST /api/v1/activations', { service_id: 'tg', country_id: 2 }, who)
    return body as { code?: string; data?: { id: number } }
  }
  const stock = async () => {
    const offers = await supplier.listOffers(AbortSignal.timeout(1_000))
    return offers.filter(({ serviceCode, countryId }) => serviceCode === 'tg' && countryId === 2)
  }
  const thief = await makeBuyer()
  for (let sale = 0; sale < RANGE; sale += 1) {
    const { data } = await buy(thief)
    if (data === undefined) throw new Error('no number')
    t.clock.advance(2 * MINUTE)
    await send(t, 'POST /api/v1/activations/{id}/cancel', { id: data.id }, thief)
    await t.runJobs()
  }
  expect(await buy(thief)).toMatchObject({ code: 'NO_NUMBERS' })
  t.clock.advance(21 * MINUTE)
  await refreshOffers(t.ctx, supplier)
  expect(await buy(thief)).toMatchObject({ code: 'NO_NUMBERS' })
  expect((await stock()).map((offer) => offer.stock)).toEqual([RANGE])
  const { rows } = await t.ctx.db.query({ text: 'SELECT state, times_offered FROM smpp_number_uses' })
  expect(rows).toEqual(new Array(RANGE).fill({ state: 'returned', times_offered: 1 }))
  expect((await buy(await makeBuyer())).data).toMatchObject({ id: expect.any(Number) })
})

test('four accounts that buy and cancel spend two numbers a week, not the range; whoever pays for codes is believed', async () => {
  await using t = await startTestApp()
  const supplier = await t.addReal(createSmppSupplier, {
    code: 'range',
    kind: 'smpp',
    settings: {
      mode: 'server',
      currency: 'rub',
      services: [{ code: 'tg', cost: '10' }],
      listen: { port: 0 },
      peers: [{ systemId: 'bank', password: 'secret' }],
    },
  })
  const phones = Array.from({ length: 6 }, (_, place) => String(77_050_000_001 + place))
  await addNumbers(
    t.ctx.db,
    supplier.id,
    phones.map((phone) => ({ phone, countryId: 2, operator: 'altel' })),
  )
  await bindGateway(t, supplier)
  const makeBuyer = async () => ({ token: await t.makeApiKey(await t.makeUser({ balance: '100.00' })) })
  const buyAndGiveBack = async (who: { token: string }, how: 'cancel' | 'used') => {
    const { body } = await send(t, 'POST /api/v1/activations', { service_id: 'tg', country_id: 2 }, who)
    const { data } = body as { data?: { id: number } }
    if (data === undefined) return
    t.clock.advance(2 * MINUTE)
    await send(t, `POST /api/v1/activations/{id}/${how}`, { id: data.id }, who)
    await t.runJobs()
    // A number rests after each order.
    t.clock.advance(21 * MINUTE)
  }
  const thieves = await Promise.all([1, 2, 3, 4].map(makeBuyer))
  for (const who of thieves) for (const _number of phones) await buyAndGiveBack(who, 'cancel')
  // Eight of the 24 cancellations count as offers, and four offers without a code make a number spent.
  expect(await count(t.ctx, `smpp_number_uses WHERE state = 'spent'`)).toBeLessThanOrEqual(2)
  const reporters = await Promise.all([1, 2].map(makeBuyer))
  for (const who of reporters) for (const _number of phones) await buyAndGiveBack(who, 'used')
  expect(await count(t.ctx, 'burnt_numbers')).toBeLessThanOrEqual(2)
  expect(await count(t.ctx, 'used_reports WHERE weighed')).toBe(4)
  // A week later two reports of use by an account have weight again, and nine by an account with a paid code.
  t.clock.advance(8 * DAY)
  const before = await count(t.ctx, 'used_reports WHERE weighed')
  const honest = await makeBuyer()
  await t.ctx.db.query({
    text: `INSERT INTO activations (user_id, service_code, country_id, operator, state, money, price_micros, currency, supplier_id,
        phone, channel, created_at, expires_at, first_code_at, outcome_at, ended_at)
      SELECT max(id), 'wa', 2, 'altel', 'finished', 'captured', 13000000, 'rub', $1, '77010000009', 'site', $2, $2, $2, $2, $2 FROM users`,
    values: [supplier.id, t.clock.now()],
  })
  for (let sale = 0; sale < 4; sale += 1) await buyAndGiveBack(honest, 'used')
  expect((await count(t.ctx, 'used_reports WHERE weighed')) - before).toBe(4)
})
