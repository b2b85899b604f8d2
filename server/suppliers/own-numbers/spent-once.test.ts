import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { refreshOffers } from '#server/catalog/offers/refresh-offers.ts'
import { SENDERS } from '#test/fakes/webhook/senders.ts'
import { openWebhookHouse } from '#test/fakes/webhook/webhook-house.ts'
import { send } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

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
