import { expect, test } from 'vitest'
import type { EntriesFilter, Entry } from '#contract/past/entries.ts'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { PaymentFacts } from '#server/core/gateways/gateway.ts'
import { sweepPreorders } from '#server/core/numbers/preorders/sweep.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import { refundActivation } from '#server/house/money/refund.ts'
import { refundCharges } from '#server/house/money/refund-charges.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { balanceOf, begin, expectRightBooks, payer } from '#test/builders/payments.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { addFakeGateway, arrived, type FakeGateway } from '#test/fakes/fake-gateway.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { countRowsRead } from '#test/harness/rows-read.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { findTransferUpTo } from '../movement-queries.ts'
import { NEWEST_ID } from '../movements-by-time.ts'
import { listEntries } from './entry-queries.ts'

const ENTRIES = 'GET /api/v1/entries'

const read = async (t: TestApp, { token }: TestUser, filter: EntriesFilter = {}) =>
  (await call(t, ENTRIES, { per_page: 100, ...filter }, { token, locale: 'en' })).entries

async function walk(t: TestApp, user: TestUser, filter: EntriesFilter): Promise<Entry[]> {
  const found: Entry[] = []
  let cursor: string | undefined
  do {
    const { data, meta } = await read(t, user, { ...filter, ...(cursor !== undefined && { cursor }) })
    found.push(...data)
    cursor = meta.next_cursor ?? undefined
  } while (cursor !== undefined)
  return found
}

const say = ({ kind, parts, amount, balance }: Entry) =>
  `${kind}: ${parts.map((part) => `${part.kind} ${part.amount}`).join(', ')}; ${amount} = ${balance}`

test('a purchase is one entry that says what became of its money, wherever its parts lie', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await payer(t, '1000.00')
  const { token } = buyer
  const rental = await rentOne(t, buyer)
  const charged = await buyOne(t, buyer)
  const refunding = await buyOne(t, buyer)
  const cancelled = await buyOne(t, buyer)
  const open = await buyOne(t, buyer)
  for (const { phone } of [rental, charged, refunding]) await pushSms(t, supplier, { phone })
  t.clock.advance(3 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: cancelled.id }, { token })
  const extended: number[] = []
  for (let times = 1; times <= 3; times += 1) {
    const { data } = await call(t, 'POST /api/v1/rentals/{id}/extend', { id: rental.id, period: 24 }, { token })
    extended.push(data.hours)
  }
  expect(extended).toEqual([48, 72, 96])
  t.clock.advance(HOUR)
  await refundActivation(t.ctx.db, { activationId: BigInt(refunding.id), at: t.clock.now() })
  await refundCharges(t.ctx.db, { of: { rentalId: BigInt(rental.id) }, at: t.clock.now() })

  const all = await walk(t, buyer, {})
  expect(all.map(say)).toEqual([
    expect.stringMatching(/^rental: hold (\S+), capture \1, refund \1; 0\.00 = 974\.00$/),
    expect.stringMatching(/^activation: hold 13.00, capture 13.00, refund 13.00; 0.00 = \d+\.00$/),
    expect.stringMatching(/^activation: hold 13.00, release 13.00; 0.00 = \d+\.00$/),
    'activation: hold 13.00; -13.00 = 818.00',
    'activation: hold 13.00, capture 13.00; -13.00 = 857.00',
    'alone: credit 1000.00; 1000.00 = 1000.00',
  ])
  expect(all.map(({ subject }) => subject?.id)).toEqual([
    rental.id,
    refunding.id,
    cancelled.id,
    open.id,
    charged.id,
    undefined,
  ])
  expect(all[0]?.steps.map(({ kind, purpose }) => `${purpose} ${kind}`)).toEqual([
    'extension refund',
    'extension refund',
    'extension refund',
    'rental refund',
    'extension capture',
    'extension hold',
    'extension capture',
    'extension hold',
    'extension capture',
    'extension hold',
    'rental capture',
    'rental hold',
  ])
  expect(all[0]?.steps_count).toBe(12)
  expect(all[4]?.steps).toMatchObject([
    { kind: 'capture', amount: '13.00', change: '0.00' },
    { kind: 'hold', amount: '13.00', change: '-13.00', at: '2026-03-01T12:00:00.000Z' },
  ])
  expect(all[4]?.at).toBe('2026-03-01T12:00:00.000Z')
  for (const per_page of [1, 2, 5]) expect(await walk(t, buyer, { per_page })).toEqual(all)
  const sum = all.reduce((cents, { amount }) => cents + Math.round(Number(amount) * 100), 0)
  expect((sum / 100).toFixed(2)).toBe(await balanceOf(t, buyer))
  // An entry whose money was returned in full matches neither the filter `in` nor `out`.
  for (const per_page of [1, 100]) {
    expect(await walk(t, buyer, { direction: 'out', per_page })).toEqual(all.slice(3, 5))
    expect(await walk(t, buyer, { direction: 'in', per_page })).toEqual(all.slice(5))
  }
  await expectRightBooks(t)
})

test('a page goes on as of its beginning, its cursor is signed, and days are those of the newest change', async () => {
  await using t = await startTestApp()
  await addRenting(t)
  const buyer = await payer(t, '1000.00')
  const { token } = buyer
  const bought = [await buyOne(t, buyer), await buyOne(t, buyer), await buyOne(t, buyer)]
  const first = await read(t, buyer, { per_page: 1 })
  const cursor = first.meta.next_cursor ?? ''
  t.clock.advance(DAY - HOUR)
  const [oldest] = bought
  const gift = { userId: buyer.id, amountMicros: 5_000_000n, idempotencyKey: 'gift', at: t.clock.now() }
  await adjustBalance(t.ctx.db, gift)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: oldest?.id ?? 0 }, { token })
  const rest = await walk(t, buyer, { cursor })
  expect(rest.map(say)).toEqual([
    'activation: hold 13.00; -13.00 = 974.00',
    'activation: hold 13.00; -13.00 = 987.00',
    'alone: credit 1000.00; 1000.00 = 1000.00',
  ])
  const anew = await walk(t, buyer, {})
  expect(new Set(anew.map(({ subject, id }) => subject?.id ?? id)).size).toBe(5)
  const [day, next] = ['2026-03-01', '2026-03-02']
  const onDay = await walk(t, buyer, { from: day, to: day })
  const onNext = await walk(t, buyer, { from: next, to: next })
  expect([...onNext, ...onDay]).toEqual(anew)
  expect(onNext.map(({ kind }) => kind).sort()).toEqual(['activation', 'alone'])
  const stranger = await t.makeUser()
  await refused(t, ENTRIES, { cursor }, { token: stranger.token })
  const ofMovements = (await call(t, 'GET /api/v1/movements', { per_page: 1 }, { token })).movements.meta.next_cursor
  for (const wrong of [cursor.replace(/\.\d+\./, '.999000000.'), ofMovements ?? '', '1.2.3', '0', 'x'.repeat(99)]) {
    const { body } = await refused(t, ENTRIES, { cursor: wrong }, { token })
    expect(Object.keys(body.errors ?? {})).toEqual(['cursor'])
  }
})

test('a pre-order is one entry with what it became', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('fake', [{ ...fakeOffer, costMicros: 20_000_000n }])
  const buyer = await payer(t, '100.00')
  const { token } = buyer
  const wish = { service_id: 'tg', country_id: 2, max_price: '20.00', hours: 24 }
  const { data } = await call(t, 'POST /api/v1/preorders', wish, { token })
  expect((await walk(t, buyer, {})).map(say)[0]).toBe('preorder: hold 20.00; -20.00 = 80.00')
  catalogOf(t.ctx).setOffers(supplier.id, [fakeOffer])
  expect(await sweepPreorders(t.ctx)).toBe(1)
  const [entry] = await walk(t, buyer, {})
  expect(entry && say(entry)).toBe('activation: hold 20.00, release 7.00; -13.00 = 87.00')
  expect(entry?.subject).toMatchObject({ preorder_id: data.id, service: { name: 'Telegram' } })
  expect(entry?.steps.map(({ kind, purpose }) => `${purpose} ${kind}`)).toEqual([
    'activation hold',
    'preorder release',
    'preorder hold',
  ])
  t.clock.advance(3 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: entry?.subject?.id ?? 0 }, { token })
  expect((await walk(t, buyer, {})).map(say)).toEqual([
    'activation: hold 20.00, release 20.00; 0.00 = 100.00',
    'alone: credit 100.00; 100.00 = 100.00',
  ])
})

let told = 0
async function tell(t: TestApp, gateway: FakeGateway, transaction: string, facts: PaymentFacts): Promise<void> {
  gateway.facts.set(transaction, facts)
  told += 1
  await gateway.send(t, { event: `entry ${told}`, transaction })
  await t.ctx.background.idle()
}

test('a payment is one entry: fee, bonus, a dispute, what was owed for it and how it ended', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  Object.assign(gateway.system, { bonusPoints: 1000, feePoints: 300 })
  const user = await payer(t)
  const { transaction_id } = await begin(t, user)
  const came = arrived(['deposit', 50_000])
  await tell(t, gateway, transaction_id, came)
  expect((await walk(t, user, {})).map(say)).toEqual(['payment: topup 500.00, fee 15.00, bonus 50.00; 535.00 = 535.00'])
  await typed(t.database, 'user:credit', user.email, '-435', '--key', 'spent', ...WHY)
  const dispute = { kind: 'dispute', providerId: 'd', amountMicros: 500_000_000n } as const
  await tell(t, gateway, transaction_id, { ...came, reversals: [{ ...dispute, state: 'open' }] })
  const [disputed] = await walk(t, user, {})
  expect(disputed?.payment).toEqual({ transaction_id, name: 'Fake card', state: 'disputed', dispute: 'open' })
  expect(disputed?.parts.find(({ kind }) => kind === 'debt')).toBeDefined()
  expect(disputed?.balance).toBe('0.00')
  await tell(t, gateway, transaction_id, { ...came, reversals: [{ ...dispute, state: 'won' }] })
  const all = await walk(t, user, {})
  expect(all.map(({ kind, payment }) => payment?.state ?? kind)).toEqual(['alone', 'paid', 'alone'])
  expect(all[0]?.parts.map(({ kind }) => kind)).toEqual(['repayment'])
  expect(await balanceOf(t, user)).toBe(all[0]?.balance)
  await expectRightBooks(t)
})

test('a payment in a thousand parts reads each of its movements a few times, not once for each other', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id } = await begin(t, user, '1000.00')
  const parts = 1_000
  const seen = Array.from({ length: parts }, (_, place): [string, number] => [`part-${place}`, 100])
  gateway.facts.set(transaction_id, arrived(...seen))
  await gateway.send(t, { event: 'all', transaction: transaction_id })
  await t.ctx.background.idle()
  const newest = await findTransferUpTo(t.ctx.db, { userId: user.id, id: NEWEST_ID })
  const after = { id: NEWEST_ID, balanceMicros: 1_000_000_000n }
  const wanted = { userId: user.id, after, beginsAt: null, endsAt: null, direction: null, limit: 10, scanned: 4_000 }
  const rows = await countRowsRead(t.ctx.db, (db) => listEntries(db, { ...wanted, topId: newest?.id ?? 0n }))
  expect(rows).toBeLessThan(parts * 5)
  const { data } = await read(t, user)
  expect(data).toMatchObject([{ kind: 'payment', amount: '1000.00', steps_count: parts }])
})

test('a rental with a thousand extensions reads each of its movements a few times as well', async () => {
  await using t = await startTestApp()
  await addRenting(t)
  const user = await payer(t, '500.00')
  const { id } = await rentOne(t, user)
  const extensions = 1_000
  await t.ctx.db.query({
    text: `WITH extended AS (INSERT INTO charges (user_id, purpose, rental_id, hours, price_micros, currency, money, created_at, settled_at)
        SELECT $userId, 'extension', $id, 4, 1000, 'rub', 'captured', $now, $now FROM generate_series(1, $extensions) RETURNING id, price_micros)
      INSERT INTO transfers (user_id, kind, from_account, to_account, amount_micros, currency, charge_id, at)
      SELECT $userId, 'hold', 'available', 'held', price_micros, 'rub', id, $now FROM extended`,
    values: { userId: user.id, id, now: t.clock.now(), extensions },
  })
  const newest = await findTransferUpTo(t.ctx.db, { userId: user.id, id: NEWEST_ID })
  const after = { id: NEWEST_ID, balanceMicros: 1_000_000_000n }
  const wanted = { userId: user.id, after, beginsAt: null, endsAt: null, direction: null, limit: 10, scanned: 4_000 }
  let found: number | undefined
  const rows = await countRowsRead(t.ctx.db, async (db) => {
    found = (await listEntries(db, { ...wanted, topId: newest?.id ?? 0n })).length
  })
  expect(found).toBeGreaterThan(2)
  expect(rows).toBeLessThan(extensions * 20)
})

test('three readings of one user at once, and no fourth; another user waits and is served', async () => {
  await using t = await startTestApp()
  const [user, other] = [await payer(t, '10.00'), await payer(t, '20.00')]
  const ask = ({ token }: TestUser) => t.fetch('/api/v1/entries?per_page=10', { token })
  const readings: Promise<Response>[] = []
  await transaction(t.ctx.db, async (tx) => {
    // The lock blocks the last table that a reading joins, so no reading ends.
    await tx.query({ text: 'LOCK TABLE preorders IN ACCESS EXCLUSIVE MODE' })
    readings.push(...Array.from({ length: 4 }, () => ask(user)))
    const first = await Promise.race(readings)
    expect(first.status).toBe(429)
    expect(first.headers.get('retry-after')).toBe('10')
    readings.push(ask(other))
  })
  const statuses = (await Promise.all(readings)).map(({ status }) => status)
  expect(statuses.slice(0, 4).toSorted()).toEqual([200, 200, 200, 429])
  expect(statuses[4]).toBe(200)
  expect((await ask(user)).status).toBe(200)
})
