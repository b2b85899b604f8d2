import { expect, test } from 'vitest'
import { buyActivation } from '#server/core/numbers/purchase/buy.ts'
import { replaceActivation } from '#server/core/numbers/purchase/replace.ts'
import { count, expectBooksRight } from '#test/builders/activation-rows.ts'
import { addField } from '#test/builders/suppliers/handler-api-supplier.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { startTestApp } from '#test/harness/harness.ts'

const wanted = { serviceCode: 'tg', countryId: 2, operator: null, currency: 'rub', channel: 'handler_api' } as const

test('a service that knows no excluded prefixes is not asked for such a number, also for another instead', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'tiger')
  const { house } = field
  const { id: userId } = await t.makeUser({ balance: '100.00' })
  const excluding = { ...wanted, userId, excludedPrefixes: ['7701'] }
  await expect(buyActivation(t.ctx, excluding)).rejects.toMatchObject({ code: 'NO_NUMBERS' })
  expect([house.sold.size, await count(t.ctx, 'activations')]).toEqual([0, 0])
  const fake = await t.addFake('fake', [{ ...fakeOffer, costMicros: 12_500_000n }])
  const { activation } = await buyActivation(t.ctx, { ...excluding, excludedPrefixes: ['7799'] })
  expect([activation.supplier_id, house.sold.size]).toEqual([fake.id, 0])
  await expectBooksRight(t.ctx)
})

test('another number instead excludes the whole earlier one, which is no prefix', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'tiger')
  const { id: userId } = await t.makeUser({ balance: '100.00' })
  const { activation } = await buyActivation(t.ctx, { ...wanted, userId })
  t.clock.advance(120_000)
  const other = await replaceActivation(t.ctx, { activationId: Number(activation.id), userId })
  expect(other.phone).not.toBe(activation.phone)
  expect(field.house.sold.size).toBe(2)
})

test('a service that knows them is told, prefixes alone', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'sms-activate')
  const { id: userId } = await t.makeUser({ balance: '100.00' })
  await buyActivation(t.ctx, { ...wanted, userId, excludedPrefixes: ['7701', '77051234567'] })
  const bought = field.house.asked.find(({ action }) => action === 'getNumberV2')
  expect(bought?.parameters.phoneException).toBe('7701')
})
