import { expect } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { reserve } from '#server/core/numbers/activations/queries/purchase.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import type { Context } from '#server/house/context.ts'
import { verifyLedger } from '#server/house/money/verify.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import type { FakeSupplier } from '#test/fakes/fake-supplier.ts'
import { call } from '#test/harness/calls.ts'
import type { TestApp, TestUser } from '#test/harness/harness.ts'

/** Buys one Telegram number of Kazakhstan from the fake supplier. The buyer pays 13.00. */
export async function buyOne(t: TestApp, user: Pick<TestUser, 'token'>) {
  const { data } = await call(t, 'POST /api/v1/activations', { service_id: 'tg', country_id: 2 }, { token: user.token })
  if (data.phone === null) throw new Error('bought without a number')
  return { ...data, phone: data.phone }
}

export async function pushSms(
  t: TestApp,
  supplier: FakeSupplier,
  sms: { phone: string; text?: string; messageId?: string | null; sender?: string; reference?: string },
): Promise<void> {
  const { text = 'Telegram code: 48213', messageId = null, sender = 'Telegram' } = sms
  await receiveSms(t.ctx, { ...sms, supplierId: supplier.id, text, messageId, sender })
}

export async function eventsOf(ctx: Context, id: number): Promise<string[]> {
  const { rows } = await ctx.db.query<{ kind: string }>({
    text: 'SELECT kind FROM events WHERE subject_id = $1 ORDER BY id',
    values: [id],
  })
  return rows.map((row) => row.kind)
}

export async function transfersOf(ctx: Context, id: number): Promise<string[]> {
  const { rows } = await ctx.db.query<{ kind: string }>({
    text: 'SELECT kind FROM transfers WHERE activation_id = $1 ORDER BY id',
    values: [id],
  })
  return rows.map((row) => row.kind)
}

export async function statesOf(t: TestApp): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ line: string }>({
    text: `SELECT state || ' ' || money || ' ' || COALESCE(code, '-') AS line FROM activations ORDER BY id`,
  })
  return rows.map(({ line }) => line)
}

/** Returns the number of rows of a query. `from` is the SQL text after FROM. */
export async function count(ctx: Context, from: string, values: unknown[] = []): Promise<number> {
  const { rows } = await ctx.db.query<{ count: bigint }>({ text: `SELECT count(*) FROM ${from}`, values })
  return Number(rows[0]?.count ?? -1n)
}

export async function moneyOf(t: TestApp, user: TestUser): Promise<{ balance: string; held: string }> {
  const { balance, held } = await call(t, 'GET /api/user', {}, { token: user.token })
  return { balance, held }
}

export async function expectBooksRight(ctx: Context): Promise<void> {
  const report = await verifyLedger(ctx.db)
  expect(report.checks.flatMap((check) => check.problems)).toEqual([])
  expect(report.ok).toBe(true)
}

/** Rewrites an activation as if an earlier rule had charged the buyer for an advert (an SMS without a code). */
export async function chargeByAdvert(t: TestApp, id: number): Promise<void> {
  await t.ctx.db.query({
    text: `WITH sold AS (UPDATE activations SET code = NULL WHERE id = $1)
      UPDATE messages SET sender = 'AD7', body = 'Win a prize today, call us now', code = NULL, given = 'only-holder', named_by = NULL,
        named_services = NULL WHERE activation_id = $1`,
    values: [id],
  })
}

/** Creates the row that a process leaves if it dies between the hold of the money and the settlement. */
export async function leaveOrphan(
  t: TestApp,
  user: TestUser,
  supplierId: number,
  excludedPrefixes: string[] = [],
): Promise<number> {
  const now = t.clock.now()
  const row = await reserve(t.ctx.db, {
    userId: user.id,
    serviceCode: 'tg',
    countryId: 2,
    operatorWanted: null,
    priceMicros: 13_000_000n,
    currency: 'rub',
    supplierId,
    costLimitMicros: 10_000_000n,
    costCurrency: 'rub',
    excludedPrefixes,
    channel: 'site',
    idempotencyKey: null,
    inputHash: null,
    limits: { openNumbers: null, daySpendMicros: null },
    nodeId: nodeOf(t.ctx).id,
    now,
    expiresAt: new Date(now.getTime() + 20 * MINUTE),
  })
  if (row === null) throw new Error('nothing was reserved')
  return Number(row.id)
}

export const stateOf = async (t: TestApp, id: number) => {
  const { rows } = await t.ctx.db.query<{ state: string }>({
    text: 'SELECT state FROM activations WHERE id = $1',
    values: [id],
  })
  return rows[0]?.state
}

export const availableOf = async (t: TestApp) => {
  const { rows } = await t.ctx.db.query<{ micros: bigint }>({ text: 'SELECT available_micros AS micros FROM accounts' })
  return rows.map((row) => row.micros)
}
