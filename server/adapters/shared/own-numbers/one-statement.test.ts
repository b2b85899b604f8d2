import { expect, test } from 'vitest'
import { toDecimal } from '#contract/money.ts'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { openConnection } from '#server/house/db/own-connection.ts'
import { verifyLedger } from '#server/house/money/verify.ts'
import { count } from '#test/builders/activation-rows.ts'
import { SENDERS } from '#test/fakes/webhook/senders.ts'
import { openWebhookHouse, PHONES } from '#test/fakes/webhook/webhook-house.ts'
import { send } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { addNumbers } from './numbers.ts'

/** Starts a service whose numbers are all our own. */
async function startRange() {
  await using stack = new AsyncDisposableStack()
  const t = stack.use(await startTestApp())
  const { kannel } = SENDERS
  if (kannel === undefined) throw new Error('no Kannel')
  const { supplier } = await openWebhookHouse(t, kannel)
  const kept = stack.move()
  const buyer = async (balance: string) => ({ token: await t.makeApiKey(await t.makeUser({ balance })) })
  const buy = async (who: { token: string }) => {
    const { body } = await send(t, 'POST /api/v1/activations', { service_id: 'tg', country_id: 2 }, who)
    return body as { code?: string; data?: { id: number; phone: string } }
  }
  return { t, supplier, buyer, buy, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** Checks the books, and that orders and leases tell the same story of `sold` sales. */
async function checkSales({ ctx }: TestApp, sold: number): Promise<void> {
  expect(await count(ctx, 'activations')).toBe(sold)
  expect(await count(ctx, `activations WHERE state = 'waiting' AND money = 'held'`)).toBe(sold)
  expect(
    await count(ctx, `smpp_leases l JOIN activations a ON a.supplier_reference = l.reference AND a.phone = l.phone`),
  ).toBe(sold)
  expect(await count(ctx, `smpp_number_uses WHERE state = 'leased'`)).toBe(sold)
  expect((await verifyLedger(ctx.db)).checks.flatMap(({ problems }) => problems)).toEqual([])
}

test('our own number is sold and its price held by one statement', async () => {
  await using range = await startRange()
  const { t, buyer, buy } = range
  const who = await buyer('100.00')
  const sent: string[] = []
  const query = t.ctx.db.query.bind(t.ctx.db)
  t.ctx.db.query = (statement) => {
    sent.push(statement.name ?? statement.text)
    return query(statement)
  }
  const { data } = await buy(who)
  expect(PHONES).toContain(data?.phone)
  expect(sent.filter((name) => /^activation-|^smpp-/.test(name))).toEqual(['activation-sell-stock'])
  await checkSales(t, 1)
})

async function priceOf({ t, buyer, buy }: Awaited<ReturnType<typeof startRange>>): Promise<bigint> {
  const { data } = await buy(await buyer('100.00'))
  const { rows } = await t.ctx.db.query<{ micros: bigint }>({
    text: 'SELECT price_micros AS micros FROM activations WHERE id = $1',
    values: [data?.id],
  })
  return rows[0]?.micros ?? 0n
}

const codesOf = (answers: readonly { code?: string }[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ code = 'sold' }) => code)).map(([code, all]) => [code, all?.length]),
  )

test('ten purchases at once of an account with money for two: two are sold, and nothing else is leased', async () => {
  await using range = await startRange()
  const { t, supplier, buyer, buy } = range
  const phones = Array.from({ length: 20 }, (_, place) => String(77_060_000_001 + place))
  await addNumbers(
    t.ctx.db,
    supplier.id,
    phones.map((phone) => ({ phone, countryId: 2, operator: 'altel' })),
  )
  await refreshOffers(t.ctx, supplier)
  const who = await buyer(toDecimal(2n * (await priceOf(range))))
  const answers = await Promise.all(phones.slice(0, 10).map(() => buy(who)))
  expect(codesOf(answers)).toEqual({ sold: 2, NO_BALANCE: 8 })
  await checkSales(t, 3)
})

test('twenty buyers at once of three numbers: each number is sold once, and the others keep their money', async () => {
  await using range = await startRange()
  const { t, buyer, buy } = range
  const buyers = await Promise.all(Array.from({ length: 20 }, () => buyer('100.00')))
  const answers = await Promise.all(buyers.map(buy))
  expect(codesOf(answers)).toEqual({ sold: PHONES.length, NO_NUMBERS: 20 - PHONES.length })
  expect(new Set(answers.flatMap(({ data }) => data?.phone ?? [])).size).toBe(PHONES.length)
  expect(
    await count(
      t.ctx,
      `activations WHERE state NOT IN ('waiting', 'failed') OR state = 'failed' AND money <> 'released'`,
    ),
  ).toBe(0)
  expect(await count(t.ctx, `accounts WHERE held_micros > 0`)).toBe(PHONES.length)
})

test('a number that was burnt for the service is not sold for it, and the next purchase finds another', async () => {
  await using range = await startRange()
  const { t, buyer, buy } = range
  const [burnt, ...others] = PHONES
  await t.ctx.db.query({
    text: `INSERT INTO burnt_numbers (phone, service_code, reason) VALUES ($1, 'tg', 'used')`,
    values: [burnt],
  })
  const who = await buyer('100.00')
  const sold: string[] = []
  for (let purchase = 0; purchase < 6; purchase += 1) sold.push((await buy(who)).data?.phone ?? 'none')
  expect(sold.filter((phone) => phone !== 'none').toSorted()).toEqual(others)
})

test('a number that somebody else takes after the money was held costs nothing', async () => {
  await using range = await startRange()
  const { t, buyer, buy } = range
  const who = await buyer('100.00')
  // No row is inserted, as if another sale had been faster.
  await t.ctx.db.query({
    text: `CREATE FUNCTION be_slower() RETURNS trigger LANGUAGE plpgsql AS $fn$ BEGIN RETURN NULL; END $fn$;
      CREATE TRIGGER be_slower BEFORE INSERT ON smpp_number_uses FOR EACH ROW EXECUTE FUNCTION be_slower()`,
  })
  expect((await buy(who)).code).toBe('NO_NUMBERS')
  expect(await count(t.ctx, `accounts WHERE held_micros <> 0`)).toBe(0)
  expect(await count(t.ctx, `activations WHERE state <> 'failed'`)).toBe(0)
  expect(await count(t.ctx, `smpp_leases WHERE state = 'leased'`)).toBe(0)
  expect((await verifyLedger(t.ctx.db)).checks.flatMap(({ problems }) => problems)).toEqual([])
})

test('a buyer without the money takes no id and locks no number', async () => {
  await using range = await startRange()
  const { t, buyer, buy } = range
  const lastId = async () =>
    (await t.ctx.db.query({ text: `SELECT last_value, is_called FROM activations_id_seq` })).rows[0]
  const before = await lastId()
  await using locker = await openConnection(t.ctx.db.options.connectionString, 'locker')
  await locker.client.query('BEGIN; SELECT FROM smpp_numbers FOR UPDATE')
  expect((await buy(await buyer('0.01'))).code).toBe('NO_BALANCE')
  expect(await lastId()).toEqual(before)
})
