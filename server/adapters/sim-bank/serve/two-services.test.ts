import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { createSimBankSupplier } from '#server/adapters/sim-bank/buy/sim-bank-supplier.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { buyOne, expectBooksRight, moneyOf, pushSms, statesOf } from '#test/builders/activation-rows.ts'
import type { FakeSupplier } from '#test/fakes/fake-supplier.ts'
import { BANK_INTAKE_KEY } from '#test/fakes/sim-bank/open-bank.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { carryOut } from './end-order.ts'
import { pushMessages } from './push-messages.ts'

const KEY = 'a-key-of-the-protocol'

async function connect(platform: TestApp, bank: TestApp) {
  const fake = await bank.addFake('modems')
  const agent = await bank.makeUser({ balance: '1000' })
  await bank.makeApiKey(agent)
  const outlet = {
    url: `${platform.url}/intake/bank/${BANK_INTAKE_KEY}`,
    key: KEY,
    privateHost: true,
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
    url: `${bank.url}/agent/hub`,
    key: KEY,
    currency: 'rub',
    intakeKey: BANK_INTAKE_KEY,
    privateHost: true,
    services: [{ code: 'tg', cost: '20' }],
  }
  const supplier = await platform.addReal(createSimBankSupplier, { code: 'bank', kind: 'sim-bank', settings })
  return { fake, agent, supplier }
}

async function sweep(platform: TestApp, bank: TestApp): Promise<void> {
  await pushMessages(bank.ctx)
  await bank.ctx.background.idle()
  await platform.ctx.background.idle()
  await platform.runJobs()
  await bank.ctx.background.idle()
  await carryOut(bank.ctx)
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
  // A push that was under way already may leave the second message to the next sweep.
  await expect
    .poll(async () => {
      await sweep(platform, bank)
      return statesOf(platform)
    })
    .toEqual(['received captured 99999'])
  await call(platform, 'POST /api/v1/activations/{id}/finish', { id }, { token: buyer.token })
  await sweep(platform, bank)
  expect([await statesOf(platform), await statesOf(bank)]).toEqual([
    ['finished captured 99999'],
    ['finished captured 99999'],
  ])
  expect(await moneyOf(bank, agent)).toEqual({ balance: '987.00', held: '0.00' })
  await expectBooksRight(platform.ctx)
  await expectBooksRight(bank.ctx)
})

test('two of our own services: a cancelled number waits for the bank’s first minutes, an expired one is given back', async () => {
  await using platform = await startTestApp()
  await using bank = await startTestApp()
  const { agent, fake } = await connect(platform, bank)
  const buyer = await platform.makeUser()
  const advance = (ms: number) => {
    for (const { clock } of [platform, bank]) clock.advance(ms)
  }
  const { id } = await buyOne(platform, buyer)
  platform.clock.advance(2 * MINUTE)
  await cancel(platform, id, buyer)
  await sweep(platform, bank)
  expect([await statesOf(platform), await statesOf(bank)]).toEqual([['cancelled released -'], ['waiting held -']])
  bank.clock.advance(2 * MINUTE)
  await sweep(platform, bank)
  expect(await statesOf(bank)).toEqual(['cancelled released -'])
  expect(await moneyOf(bank, agent)).toEqual({ balance: '1000.00', held: '0.00' })

  const next = await buyOne(platform, buyer)
  advance(21 * MINUTE)
  await sweepExpired(platform.ctx)
  await sweepExpired(bank.ctx)
  await pushSms(bank, fake as FakeSupplier, { phone: next.phone })
  await sweep(platform, bank)
  expect((await statesOf(platform))[1]).toBe('expired released -')
  expect((await statesOf(bank))[1]).toBe('expired released -')
  // The bank has released the money for the activation, so it does not push the message.
  const { rows } = await platform.ctx.db.query({ text: 'SELECT given FROM messages' })
  expect(rows).toEqual([])
  await expectBooksRight(platform.ctx)
  await expectBooksRight(bank.ctx)
})

test('two of our own services: an SMS waits while the platform is away, and is one message however often a killed bank sends it', async () => {
  await using platform = await startTestApp()
  await using bank = await startTestApp()
  const { fake } = await connect(platform, bank)
  const { phone } = await buyOne(platform, await platform.makeUser())
  await pushSms(bank, fake as FakeSupplier, { phone })
  // The platform's supplier is stopped, so the platform answers 404.
  const supplier = suppliersOf(platform.ctx)
    .all()
    .find(({ code }) => code === 'bank')
  if (supplier === undefined) throw new Error('the bank is no supplier')
  await suppliersOf(platform.ctx).remove(supplier.id)
  for (const _time of [1, 2]) {
    await sweep(platform, bank)
    bank.clock.advance(10 * SECOND)
  }
  expect((await typed(bank.database, 'outlet:list')).out).toContain(
    '1 messages not accepted yet, 0 given up (HTTP 404)',
  )
  expect(await statesOf(platform)).toEqual(['waiting held -'])
  await suppliersOf(platform.ctx).add(supplier)
  await sweep(platform, bank)
  await sweep(platform, bank)
  expect(await statesOf(platform)).toEqual(['received captured 48213'])
  const { rows } = await bank.ctx.db.query({ text: 'SELECT state, tries FROM outlet_pushes' })
  expect(rows).toEqual([{ state: 'accepted', tries: 3 }])
  // A process that was killed between the reply and its record leaves this state.
  await bank.ctx.db.query({ text: `UPDATE outlet_pushes SET state = 'due', settled_at = NULL` })
  await sweep(platform, bank)
  const messages = await platform.ctx.db.query({ text: 'SELECT given FROM messages' })
  expect(messages.rows).toEqual([{ given: 'named' }])
})
