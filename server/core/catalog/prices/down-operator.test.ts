import { expect, test } from 'vitest'
import { FULL_NUMBER } from '#contract/rental.ts'
import { followLink } from '#server/core/catalog/offers/follow-link.ts'
import { loadOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

const offer = (operator: string, stock = 100) => ({ ...fakeOffer, operator, stock })
const rented = (operator: string) => ({ ...offer(operator), serviceCode: FULL_NUMBER, hours: 24 })

// Finding F-4: programs treat "there is no such operator" as permanent and stop.
test('F-4: an operator whose link is down has no numbers at any door, and one that nobody has is unknown', async () => {
  await using t = await startTestApp()
  await t.addFake('other', [offer('kcell'), offer('soldout', 0)], [rented('kcell')])
  const bank = await t.addFake('bank', [offer('simbank')], [rented('simbank')])
  const buyer = await t.makeUser()
  const key = await t.makeApiKey(buyer)
  const text = async (path: string) => (await t.fetch(path, { token: key })).text()
  const codes = async (operator_id: string) => {
    const bought = { service_id: 'tg', country_id: 2, operator_id }
    const rent = { service_id: FULL_NUMBER, country_id: 2, operator_id, period: 24 }
    return [
      (await refused(t, 'POST /api/v1/activations', bought, { token: key })).body.code,
      (await refused(t, 'POST /api/v1/rentals', rent, { token: key })).body.code,
      await text(`/v1/user/buy/activation/kazakhstan/${operator_id}/telegram`),
      await text(`/v1/user/buy/hosting/kazakhstan/${operator_id}/1day`),
    ]
  }
  const none = ['NO_NUMBERS', 'NO_NUMBERS', 'no free phones', 'no free phones']
  let up = false
  Object.assign(bank, { link: () => ({ up, since: t.clock.now() }) })
  for (let time = 0; time < 2; time += 1) await followLink(t.ctx, bank.id)
  expect(await codes('simbank')).toEqual(none)
  expect((await codes('soldout'))[0]).toBe('NO_NUMBERS')
  expect(await codes('nobody')).toEqual(['BAD_OPERATOR', 'BAD_OPERATOR', 'bad operator', 'bad operator'])
  expect(await text('/v1/guest/products/kazakhstan/simbank')).toBe('{}')
  expect(await text('/v1/guest/products/kazakhstan/nobody')).toBe('bad operator')
  const query = new URLSearchParams({ api_key: key, action: 'getNumber', service: 'tg', country: '2' })
  expect(await text(`/stubs/handler_api.php?${query}&operator=simbank`)).toMatch(/^ACCESS_NUMBER:/)
  await loadOffers(t.ctx, bank.id)
  await followLink(t.ctx, bank.id)
  expect(await codes('simbank')).toEqual(none)
  up = true
  await followLink(t.ctx, bank.id)
  expect(await text('/v1/user/buy/activation/kazakhstan/simbank/telegram')).toContain('"operator":"simbank"')
})
