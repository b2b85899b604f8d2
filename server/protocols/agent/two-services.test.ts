import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { refreshOffers } from '#server/catalog/offers/refresh-offers.ts'
import { sweepExpired } from '#server/numbers/activations/sweep.ts'
import { createSimBankSupplier } from '#server/suppliers/sim-bank/sim-bank-supplier.ts'
import { buyOne, expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import type { FakeSupplier } from '#test/fakes/fake-supplier.ts'
import { BANK_INTAKE_KEY } from '#test/fakes/sim-bank/open-bank.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { carryOut } from './end-order.ts'
import { pushMessages } from './push-messages.ts'

const KEY = 'a-key-of-the-protocol'

/** `platform` sells to people what it buys of `bank`, which is one of ours too. */
async function connect(platform: TestApp, bank: TestApp) {
  const fake = await bank.addFake('modems')
  const agent = await bank.makeUser({ balance: '1000' })
  await bank.makeApiKey(agent)
  const outlet = {
    ...{ url: `${platform.url}/intake/bank/${BANK_INTAKE_KEY}`, key: KEY, privateHost: true },
    services: [{ code: 'tg', sum: '20' }],
  }
  const added = await typed(
    bank.database,
    'outlet:add',
    'agent',
    '--code',
    'hub',
    '--key',
    '1',
    '--settings',
    JSON.stringify(outlet),
    ...WHY,
  )
  expect(added).toMatchObject({ code: 0, err: '' })
  const settings = {
    ...{ url: `${bank.url}/agent/hub`, key: KEY, currency: 'rub', intakeKey: BANK_INTAKE_KEY, privateHost: true },
    services: [{ code: 'tg', cost: '20' }],
  }
  const supplier = await platform.addReal(createSimBankSupplier, { code: 'bank', kind: 'sim-bank', settings })
  return { fake, agent, supplier }
}

/** What the loops of the bank do, and then what the platform does with it. */
async function sweep(platform: TestApp, bank: TestApp): Promise<void> {
  await pushMessages(bank.ctx)
  await bank.ctx.background.idle()
  await platform.ctx.background.idle()
  await platform.runJobs()
  await bank.ctx.background.idle()
  await carryOut(bank.ctx)
}

async function stateOf(t: TestApp): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ line: string }>({
    text: `SELECT state || ' ' || money || ' ' || COALESCE(code, '-') AS line FROM activations ORDER BY id`,
  })
  return rows.map(({ line }) => line)
}

const cancel = (t: TestApp, id: number, buyer: TestUser) =>
  call(t, 'POST /api/v1/activations/{id}/cancel', { id }, { token: buyer.token })

test('two of our own services: one sells what the other supplies, its codes and ends pass through, both books are right', async () => {
  await using platform = await startTestApp()
  await using bank = await startTestApp()
  const { fake, agent } = await connect(platform, bank)
  const buyer = await platform.makeUser()
  const { id, phone } = await buyOne(platform, buyer)
  expect(fake.sold.get('100000001-1')?.phone).toBe(phone)
  expect(await moneyOf(bank, agent)).toEqual({ balance: '987.00', held: '13.00' })
  await pushSms(bank, fake as FakeSupplier, { phone })
  await pushSms(bank, fake as FakeSupplier, { phone, text: 'Telegram code: 99999' })
  await sweep(platform, bank)
  expect(await stateOf(platform)).toEqual(['received captured 99999'])
  await call(platform, 'POST /api/v1/activations/{id}/finish', { id }, { token: buyer.token })
  await sweep(platform, bank)
  expect([await stateOf(platform), await stateOf(bank)]).toEqual([
    ['finished captured 99999'],
    ['finished captured 99999'],
  ])
  expect(await moneyOf(bank, agent)).toEqual({ balance: '987.00', held: '0.00' })
  await expectBooksRight(platform.ctx)
  await expectBooksRight(bank.ctx)
})
