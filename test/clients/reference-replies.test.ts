import { expect, test } from 'vitest'
import type { CallKey } from '#contract/calls/calls.ts'
import { HOUR, MINUTE } from '#contract/time.ts'
import { rollUp } from '#server/core/numbers/statistics/roll-up.ts'
import { sweepReferral } from '#server/core/programmes/referral/settle-shares.ts'
import { sendDue } from '#server/core/webhooks/sending/send-due.ts'
import { calls } from '#server/programs/app.ts'
import { startSandbox } from '#server/programs/boot/start-sandbox.ts'
import { describeReference } from '#server/surfaces/site/reference/describe-reference.ts'
import { chargeByAdvert, pushSms } from '#test/builders/activation-rows.ts'
import { invited, spend } from '#test/builders/referral.ts'
import { buyCoded } from '#test/builders/statistics-rows.ts'
import { addFakeGateway } from '#test/fakes/fake-gateway.ts'
import { fakeRentOffers } from '#test/fakes/fake-rent.ts'
import { startReceiver } from '#test/fakes/webhook-receiver.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { makeSandboxKey } from '#test/services/sandbox-service.ts'
import { expectRecorded } from './recorded-replies.ts'

const SETTINGS = {
  OUTBOUND_PRIVATE_HOSTS: '127.0.0.1',
  LOYALTY: 'week',
  REFERRAL_PERCENT: '100',
  REFERRAL_PENDING_DAYS: '0',
  REFERRAL_LEAST_RUB: '10',
}
const SHOWN = describeReference(calls, 'en').data.flatMap((group) => group.calls)

/** Makes calls by their operation, with the example of the page for what is not given, and keeps each first reply. */
function recorderOf(t: TestApp, token: string) {
  const replies: Record<string, unknown> = {}
  async function ask(id: string, input: object = {}, as = token) {
    const shown = SHOWN.find((one) => one.id === id)
    if (shown === undefined) throw new Error(`/doc/api has no call ${id}`)
    // The cast is safe, because the calls of the page are declared calls.
    const key = `${shown.method} ${shown.path}` as CallKey
    const reply = (await call(t, key, { ...shown.example, ...input } as never, { token: as, locale: 'en' })) as {
      data: { id: number; phone: string; transaction_id: string; available: string }
    }
    replies[id] ??= reply
    return reply.data
  }
  return { replies, ask }
}

type Recorder = ReturnType<typeof recorderOf>

test('every call of /doc/api shows a reply of the running service', async () => {
  await using t = await startTestApp({ environment: SETTINGS })
  await using receiver = await startReceiver()
  const supplier = await t.addFake('fake', undefined, fakeRentOffers)
  const buyer = await t.makeUser({ balance: '5000.00' })
  const recorder = recorderOf(t, await t.makeApiKey(buyer))
  const { replies, ask } = recorder
  await addFakeGateway(t)
  for (const id of ['services_get', 'countries_get', 'price_get', 'priceList_get']) await ask(id)
  for (const id of ['rentServices_get', 'rentCountries_get', 'rentPrice_get']) await ask(id, { country_id: 2 })
  const { phone, ...first } = await ask('activations_create')
  await ask('user_getActiveNumbers')
  await pushSms(t, supplier, { phone })
  await ask('activations_getById', { id: first.id, wait: 0 })
  await ask('activations_again', { id: first.id })
  await ask('activations_finish', { id: first.id })
  await recordEnds(t, recorder, supplier)
  await recordRentals(t, recorder, supplier)
  await recordMoney(t, recorder)
  await startSandbox(t.ctx, { delayScale: 0, services: ['tg'] })
  const play = await makeSandboxKey(t, buyer)
  for (let bought = 0; bought < 10; bought += 1) await buyCoded(t, buyer, supplier, 1)
  t.clock.advance(HOUR)
  await rollUp(t.ctx)
  const rest = ['user_get', 'user_getLatestPurchases', 'user_getLatestRentPurchases', 'history_get', 'movements_get']
  for (const id of [
    ...rest,
    'entries_get',
    'statement_get',
    'statistics_get',
    'loyalty_get',
    'quality_get',
    'history_getTotals',
  ])
    await ask(id)
  await ask('preorders_getLastSale', { service_id: 'tg', country_id: 2 })
  await spend(t, supplier, await invited(t, buyer))
  await sweepReferral(t.ctx)
  await ask('referral_getShares')
  const { available } = await ask('referral_get')
  await ask('referral_createWithdrawals', { amount: available, to: 'balance' })
  await ask('referral_getHistoryWithdrawals')
  await recordWebhooks(t, recorder, receiver.url)
  await ask('sandbox_get', {}, play)
  await ask('sandbox_createTopUp', {}, play)
  expect(Object.keys(replies).sort()).toEqual(SHOWN.map(({ id }) => id).sort())
  await expectRecorded('replies.json', replies)
})

type Supplier = Awaited<ReturnType<TestApp['addFake']>>

async function recordEnds(t: TestApp, { ask }: Recorder, supplier: Supplier): Promise<void> {
  await ask('activations_createBulk')
  const cancelled = await ask('activations_create')
  const used = await ask('activations_create')
  const replaced = await ask('activations_create')
  t.clock.advance(3 * MINUTE)
  await ask('activations_cancel', { id: cancelled.id })
  await ask('activations_used', { id: used.id })
  await ask('activations_replace', { id: replaced.id })
  const wrong = await ask('activations_create')
  await pushSms(t, supplier, { phone: wrong.phone })
  await chargeByAdvert(t, wrong.id)
  await ask('activations_notMyCode', { id: wrong.id })
  const noticed = await ask('activations_create')
  await pushSms(t, supplier, { phone: noticed.phone, text: 'Telegram: new login to your account from Berlin' })
  await ask('activations_open', { id: noticed.id })
  supplier.repeats = true
  const again = await ask('activations_create')
  await pushSms(t, supplier, { phone: again.phone })
  await ask('activations_finish', { id: again.id })
  await ask('activations_repeat', { id: again.id })
}

async function recordRentals(t: TestApp, { ask }: Recorder, supplier: Supplier): Promise<void> {
  const rental = await ask('rentals_create', { service_id: 'full' })
  await pushSms(t, supplier, { phone: rental.phone })
  await ask('rentals_getById', { id: rental.id })
  await ask('user_getActiveRentNumbers')
  await ask('rentals_getExtensions', { id: rental.id })
  await ask('rentals_extend', { id: rental.id })
  await ask('rentals_finish', { id: rental.id })
  const { id } = await ask('rentals_create', { service_id: 'full' })
  await ask('rentals_cancel', { id })
}

async function recordMoney(t: TestApp, { ask }: Recorder): Promise<void> {
  const preorder = await ask('preorders_create', { max_price: '5.00' })
  await ask('preorders_get')
  await ask('preorders_cancel', { id: preorder.id })
  await ask('payments_get')
  const { transaction_id } = await ask('payments_create', { system: 'fake' })
  await ask('payments_getByTransactionId', { transaction_id })
  await ask('payments_cancel', { transaction_id })
  await ask('paymentsHistory_get')
  await t.addGateway({ code: 'gift', kind: 'vouchers' })
  const { out } = await typed(t.database, 'voucher:create', 'gift', '1', '500', '--currency', 'rub', ...BATCH)
  await ask('vouchers_create', { code: out.trim() })
}

const BATCH = ['--batch', 'spring', ...WHY]

async function recordWebhooks(t: TestApp, { ask }: Recorder, url: string): Promise<void> {
  const { id } = await ask('webhooks_create', { url })
  await ask('webhooks_get')
  await ask('webhooks_test', { id })
  await sendDue(t.ctx)
  const deliveries = (await ask('webhooks_getDeliveries', { id })) as unknown as { id: number }[]
  await ask('webhooks_createDeliveriesReplay', { id, delivery: deliveries[0]?.id })
  await ask('webhooks_rotate', { id })
  await ask('webhooks_changeById', { id })
  await ask('webhooks_removeById', { id })
}
