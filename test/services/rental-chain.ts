import { createResellSupplier } from '#server/adapters/handler-api/handler-api-supplier.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { rentNumber } from '#server/core/numbers/purchase/rent.ts'
import { findRental } from '#server/core/numbers/rentals/queries/read.ts'
import { followSuppliers } from '#server/programs/boot/start-suppliers.ts'
import { expectBooksRight } from '#test/builders/activation-rows.ts'
import { addRenting } from '#test/builders/rental-rows.ts'
import { openBreakingLine } from '#test/fakes/handler-api/breaking-line.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

/** The time-out and the interval of polling, in ms of real time, not of the test clock. */
export const LIMIT = { timeout: 10_000, interval: 10 }

/** Starts an installation A, which rents out numbers of an installation B, which rents out those of a fake supplier. */
export async function openChain(more: object = {}) {
  await using stack = new AsyncDisposableStack()
  const b = stack.use(await startTestApp())
  const fake = await addRenting(b)
  const reseller = await b.makeUser({ balance: '100000' })
  const line = stack.use(await openBreakingLine(b.url))
  const key = await b.makeApiKey(reseller)
  const a = stack.use(await startTestApp({ clock: b.clock }))
  const row = { code: 'b', kind: 'handler-api' }
  const settings = {
    url: `${line.url}/stubs/handler_api.php`,
    key,
    dialect: 'ringpost',
    currency: 'rub',
    privateHost: true,
    callsPerSecond: 100,
    pollSeconds: 0.02,
    ...more,
  }
  const supplier = await a.addReal(createResellSupplier, { ...row, settings })
  /** Changes the supplier's settings, which replaces the supplier object. */
  const change = async (changed: object) => {
    await a.ctx.db.query({
      text: 'UPDATE suppliers SET settings = $settings, settings_version = settings_version + 1 WHERE id = $id',
      values: { id: supplier.id, settings: JSON.stringify({ ...settings, ...changed }) },
    })
    await followSuppliers(a.ctx)
  }
  const { rent } = supplier
  if (rent === undefined) throw new Error('it rents nothing out')
  const buyer = await a.makeUser({ balance: '100000' })
  const kept = stack.move()
  let serial = 0
  const sms = (phone: string, text: string) => {
    serial += 1
    return receiveSms(b.ctx, { supplierId: fake.id, messageId: `m${serial}`, phone, sender: 'Telegram', text })
  }
  return {
    a,
    b,
    fake,
    supplier,
    change,
    rent,
    buyer,
    reseller,
    line,
    sms,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

export type Chain = Awaited<ReturnType<typeof openChain>>

export async function rentOf({ a, buyer }: Chain, hours = 24) {
  const wanted = { serviceCode: 'full', countryId: 2, operator: null, currency: 'rub', channel: 'site' } as const
  const row = await rentNumber(a.ctx, { ...wanted, hours, userId: buyer.id })
  return { rentalId: Number(row.id), userId: buyer.id, phone: row.phone ?? '', row }
}

export type Which = { rentalId: number; userId: number }
export const read = ({ ctx }: TestApp, { rentalId, userId }: Which) => findRental(ctx.db, { id: rentalId, userId })

export async function rentsOf({ ctx }: TestApp) {
  const { rows } = await ctx.db.query<{ state: string; hours: number; sms: number }>({
    text: 'SELECT state, hours, sms_count AS sms FROM rentals ORDER BY id',
  })
  return rows
}

export async function expectAllRight({ a, b }: Chain) {
  await expectBooksRight(a.ctx)
  await expectBooksRight(b.ctx)
}
