import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { addNumbers } from '#server/adapters/shared/own-numbers/numbers.ts'
import { createSmppSupplier } from '#server/adapters/smpp/smpp-supplier.ts'
import { healthBookOf } from '#server/core/catalog/health/health-book.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { reserve, settleBought } from '#server/core/numbers/activations/queries/purchase.ts'
import { senderBookOf } from '#server/core/numbers/messages/sender-book.ts'
import { reserveRental, settleRented } from '#server/core/numbers/rentals/queries/reserve.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { NUMBER_HELD_MS } from '#server/core/suppliers/supplier.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { NO_NODE } from '#server/house/nodes/node.ts'
import { count, expectBooksRight } from '#test/builders/activation-rows.ts'
import { fakeRentOffer } from '#test/fakes/fake-rent.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { bindGateway } from '#test/fakes/smpp/bound-gateway.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

// R-B: the rule of who may buy a number. Telegram and WhatsApp name themselves in messages. Gmail and Google are one
// family. Two services with unknown senders stand for all services of that kind.
const PHONE = '77050000001'
const KNOWN = ['tg', 'wa', 'go', 'gf']

type Shop = Awaited<ReturnType<typeof openShop>>

/** Creates a supplier that sells one number for all services, and buyers with API keys, as sessions would expire. */
async function openShop(t: TestApp, sell: 'fake' | 'range', settings: object = {}) {
  const unknown = [...catalogOf(t.ctx).services.keys()].filter(
    (code) => !senderBookOf(t.ctx).sendersKnown(code) && senderBookOf(t.ctx).familyOf(code) === code && code !== 'full',
  )
  const [dark = '', darker = ''] = unknown
  const codes = [...KNOWN, dark, darker]
  for (const code of ['tg', 'wa']) expect([code, senderBookOf(t.ctx).sendersKnown(code)]).toEqual([code, true])
  if (sell === 'fake') {
    // The tests buy one number again and again, and the supplier must not be paused for that.
    healthBookOf(t.ctx).countInARow = () => 1
    const rent = ['full', 'tg', dark].map((serviceCode) => ({ ...fakeRentOffer, serviceCode }))
    const supplier = await t.addFake(
      'fake',
      codes.map((serviceCode) => ({ ...fakeOffer, serviceCode })),
      rent,
    )
    supplier.onBuy = async (order) => ({ ...supplier.sell(order), phone: PHONE })
    supplier.rent.onRent = async (order) => ({ ...supplier.rent.give(order), phone: PHONE })
  } else {
    const supplier = await t.addReal(createSmppSupplier, {
      code: 'range',
      kind: 'smpp',
      settings: {
        mode: 'server',
        currency: 'rub',
        listen: { port: 0 },
        peers: [{ systemId: 'bank', password: 'secret' }],
        services: codes.map((code) => ({ code, cost: '10' })),
        rent: ['full', 'tg', dark].map((code) => ({ code, cost: { '24': '100' } })),
        ...settings,
      },
    })
    await addNumbers(t.ctx.db, supplier.id, [{ phone: PHONE, countryId: 2, operator: 'altel' }])
    await bindGateway(t, supplier)
  }
  const makeKey = async () => t.makeApiKey(await t.makeUser({ balance: '5000' }))
  return { t, dark, darker, anna: await makeKey(), boris: await makeKey() }
}

const headers = { 'content-type': 'application/json' }
async function post(
  { t }: Shop,
  key: string,
  path: string,
  input: object = {},
): Promise<{ code?: string; data: { id: number } }> {
  const reply = await t.fetch(`/api/v1/${path}`, { method: 'POST', token: key, headers, body: JSON.stringify(input) })
  return (await reply.json()) as { code?: string; data: { id: number } }
}

async function buy(shop: Shop, key: string, service: string): Promise<number | null> {
  return idOf(await post(shop, key, 'activations', { service_id: service, country_id: 2 }))
}
async function rent(shop: Shop, key: string, service: string): Promise<number | null> {
  return idOf(await post(shop, key, 'rentals', { service_id: service, country_id: 2, period: 24 }))
}
function idOf(body: { code?: string; data: { id: number } }): number | null {
  if (body.code !== undefined && body.code !== 'NO_NUMBERS') throw new Error(`refused: ${body.code}`)
  return body.code === undefined ? body.data.id : null
}
async function canBuy(shop: Shop, key: string, services: readonly string[]): Promise<string[]> {
  const sold: string[] = []
  for (const service of services) {
    const id = await buy(shop, key, service)
    if (id === null) continue
    sold.push(service)
    // The order is moved far into the past, so that the next check sees the same history.
    await cancel(shop, key, id)
    const { db } = shop.t.ctx
    await db.query({ text: `UPDATE activations SET ended_at = '2000-01-01' WHERE id = $1`, values: [id] })
    await shop.t.runJobs()
    const leases = `UPDATE smpp_leases SET ended_at = '2000-01-01' WHERE reference LIKE $1`
    await db.query({ text: leases, values: [`${id}-%`] })
    await offerAfresh(shop)
  }
  return sold
}
async function offerAfresh({ t }: Shop): Promise<void> {
  await t.ctx.db.query({
    text: `UPDATE smpp_number_uses SET times_offered = 1, state = 'returned', restored_at = $1 WHERE state <> 'leased'`,
    values: [t.clock.now()],
  })
}
async function cancel(shop: Shop, key: string, id: number): Promise<void> {
  await shop.t.ctx.db.query({
    text: `UPDATE activations SET created_at = created_at - interval '5 minutes' WHERE id = $1`,
    values: [id],
  })
  const { code } = await post(shop, key, `activations/${id}/cancel`)
  if (code !== undefined) throw new Error(`not cancelled: ${code}`)
}

test.each(['fake', 'range'] as const)(
  'one number of a %s is shared only where each message says whose it is',
  async (sell) => {
    await using t = await startTestApp()
    const shop = await openShop(t, sell)
    const { anna, boris, dark, darker } = shop
    const google = await buy(shop, anna, 'go')
    expect(google).not.toBeNull()
    expect(await canBuy(shop, boris, ['gf', 'go', dark, 'tg'])).toEqual(['tg'])
    expect(await canBuy(shop, anna, ['gf', dark, 'wa'])).toEqual(['wa'])
    expect(await rent(shop, anna, 'tg')).toBeNull()

    await cancel(shop, anna, google ?? 0)
    await t.runJobs()
    expect(await canBuy(shop, boris, ['go', 'gf', dark, 'tg'])).toEqual(['tg'])
    expect([await rent(shop, boris, 'full'), await rent(shop, boris, dark)]).toEqual([null, null])
    expect(await canBuy(shop, anna, ['gf', dark, 'go'])).toEqual(['gf', dark, 'go'])
    t.clock.advance(20 * MINUTE - 1)
    expect(await canBuy(shop, boris, ['gf', dark])).toEqual([])
    t.clock.advance(1)
    expect(await canBuy(shop, boris, ['gf', darker])).toEqual(['gf', darker])

    const unknown = await buy(shop, anna, dark)
    expect(await canBuy(shop, boris, ['tg', 'wa', darker])).toEqual([])
    await cancel(shop, anna, unknown ?? 0)
    await t.runJobs()
    expect(await canBuy(shop, boris, ['tg', 'wa', darker])).toEqual([])
    t.clock.advance(20 * MINUTE)
    expect(await canBuy(shop, boris, ['tg'])).toEqual(['tg'])

    const rented = await rent(shop, anna, 'full')
    expect(await canBuy(shop, boris, ['tg'])).toEqual([])
    expect(await post(shop, anna, `rentals/${rented}/cancel`)).not.toHaveProperty('code')
    await t.runJobs()
    expect(await canBuy(shop, boris, ['tg', dark])).toEqual([])
    expect(await canBuy(shop, anna, ['tg'])).toEqual(['tg'])
    t.clock.advance(20 * MINUTE)
    expect(await canBuy(shop, boris, ['tg'])).toEqual(['tg'])
  },
)

// Each round sells one number to many buyers at once. A check that runs before the others' writes would sell the number
// twice.
test.each(['fake', 'range'] as const)(
  'buyers and renters of one number of a %s at the same moment never share it wrongly',
  async (sell) => {
    await using t = await startTestApp()
    const shop = await openShop(t, sell)
    const { anna, boris, dark, darker } = shop
    const wishes = [...KNOWN, dark, darker]
    for (let round = 0; round < 6; round += 1) {
      const orders = wishes.flatMap((service) => [buy(shop, anna, service), buy(shop, boris, service)])
      const ids = await Promise.all([...orders, rent(shop, anna, 'full'), rent(shop, boris, 'tg')])
      expect(ids.some((id) => id !== null)).toBe(true)
      const wrong = await count(
        t.ctx,
        `(SELECT id, user_id, phone, COALESCE(family, service_code) AS family, senders_known, false AS whole FROM activations
          WHERE state = 'waiting'
        UNION ALL SELECT id, user_id, phone, 'rental', false, true FROM rentals WHERE state = 'active') one
        JOIN (SELECT id, user_id, phone, COALESCE(family, service_code) AS family, senders_known FROM activations WHERE state = 'waiting') other
        ON one.phone = other.phone AND one.id <> other.id
          AND (one.whole OR one.family = other.family OR NOT (one.senders_known AND other.senders_known))`,
      )
      expect([round, wrong]).toEqual([round, 0])
      await t.ctx.db.query({
        text: `UPDATE activations SET created_at = created_at - interval '5 minutes' WHERE state = 'waiting'`,
      })
      const open = await t.ctx.db.query<{ id: bigint; user_id: number }>({
        text: `SELECT id, user_id FROM activations WHERE state = 'waiting'`,
      })
      for (const { id } of open.rows) for (const key of [anna, boris]) await post(shop, key, `activations/${id}/cancel`)
      const rented = await t.ctx.db.query<{ id: bigint }>({ text: `SELECT id FROM rentals WHERE state = 'active'` })
      for (const { id } of rented.rows) for (const key of [anna, boris]) await post(shop, key, `rentals/${id}/cancel`)
      await t.runJobs()
      t.clock.advance(20 * MINUTE)
      await offerAfresh(shop)
    }
    await expectBooksRight(t.ctx)
  },
)

// The statement of the second sale begins before the first sale commits, so its snapshot cannot see the first sale.
test.each(['activation', 'rental'] as const)(
  'a sale waits for the %s of the same number that is being settled',
  async (first) => {
    await using t = await startTestApp()
    const { dark, darker } = await openShop(t, 'fake')
    const [anna, boris] = [await t.makeUser(), await t.makeUser()]
    const now = t.clock.now()
    const base = {
      countryId: 2,
      operatorWanted: null,
      priceMicros: 1_000_000n,
      currency: 'rub' as const,
      supplierId: 1,
      channel: 'site',
      costLimitMicros: 1n,
      costCurrency: 'rub' as const,
      idempotencyKey: null,
      inputHash: null,
      limits: { openNumbers: null, daySpendMicros: null },
      nodeId: NO_NODE,
      now,
      expiresAt: new Date(now.getTime() + 20 * MINUTE),
    }
    const number = {
      phone: PHONE,
      operator: 'altel',
      supplierReference: 's',
      costMicros: 1n,
      attempt: 1,
      sendersKnown: false,
      nodeId: NO_NODE,
      now,
    }
    const bought = async (userId: number, serviceCode: string) => {
      const row = await reserve(t.ctx.db, { ...base, userId, serviceCode, excludedPrefixes: [] })
      if (row === null) throw new Error('nothing was held')
      const sold = { ...number, id: row.id, family: serviceCode }
      return (db: Db) => settleBought(db, sold, row)
    }
    const rented = async (userId: number, serviceCode: string) => {
      const period = { hours: 24, costCurrency: 'rub' as const, cancelUntil: base.expiresAt, warnAt: base.expiresAt }
      const row = await reserveRental(t.ctx.db, { ...base, ...period, userId, serviceCode })
      return (db: Db) => settleRented(db, { ...number, id: row?.id ?? 0n, family: serviceCode })
    }
    const other = await bought(boris.id, darker)
    const mine = await (first === 'rental' ? rented : bought)(anna.id, dark)
    let answered = false
    const { selling } = await transaction(t.ctx.db, async (tx) => {
      expect(await mine(tx)).not.toBeNull()
      const selling = other(t.ctx.db).finally(() => {
        answered = true
      })
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`
      while (!answered && (await t.ctx.db.query({ text: waiting })).rowCount === 0);
      return { selling }
    })
    expect(await selling).toBeNull()
  },
)

test('a number of an exclusive range is one order’s at a time, whatever the service, and the stock says so', async () => {
  await using t = await startTestApp()
  const shop = await openShop(t, 'range', { exclusive: true })
  const { anna, boris } = shop
  const [range] = suppliersOf(t.ctx).all()
  const stockOf = async (service: string) => {
    const offers = (await range?.listOffers(new AbortController().signal)) ?? []
    return offers.find(({ serviceCode }) => serviceCode === service)?.stock
  }
  const id = await buy(shop, anna, 'tg')
  expect(await canBuy(shop, boris, ['wa'])).toEqual([])
  expect(await canBuy(shop, anna, ['wa'])).toEqual([])
  expect([await stockOf('wa'), await stockOf('go')]).toEqual([0, 0])
  await cancel(shop, anna, id ?? 0)
  await t.runJobs()
  expect([await canBuy(shop, boris, ['wa']), await stockOf('wa')]).toEqual([[], 0])
  t.clock.advance(20 * MINUTE)
  expect([await stockOf('wa'), await canBuy(shop, boris, ['wa'])]).toEqual([1, ['wa']])
})

test('the functions of the database close a number for as long as the code says', async () => {
  await using t = await startTestApp()
  const { rows } = await t.ctx.db.query<{ name: string; body: string }>({
    text: `SELECT proname AS name, pg_get_functiondef(oid) AS body FROM pg_proc
      WHERE proname IN ('number_closed', 'smpp_number_closed') ORDER BY proname`,
  })
  expect(rows.map(({ name }) => name)).toEqual(['number_closed', 'smpp_number_closed'])
  for (const { body } of rows) {
    const minutes = [...body.matchAll(/interval '(\d+) minutes'/gu)].map((found) => Number(found[1]))
    expect(new Set(minutes)).toEqual(new Set([NUMBER_HELD_MS / MINUTE]))
  }
})
