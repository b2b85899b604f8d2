import type { RentInput } from '#contract/rental.ts'
import type { Context } from '#server/house/context.ts'
import { fakeRentOffers } from '#test/fakes/fake-rent.ts'
import { type FakeSupplier, fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call } from '#test/harness/calls.ts'
import { beginTestSession, type TestApp, type TestUser } from '#test/harness/harness.ts'

/** Adds a fake supplier that rents out numbers and also sells Telegram numbers. */
export function addRenting(t: TestApp, code = 'fake', rentOffers = fakeRentOffers): Promise<FakeSupplier> {
  return t.addFake(code, [fakeOffer], rentOffers)
}

/** Rents a number of Kazakhstan for all services for a day. The renter pays 130.00. */
export async function rentOne(t: TestApp, user: TestUser, change: Partial<RentInput> = {}) {
  const input = { service_id: 'full', country_id: 2, period: 24, ...change }
  const { data } = await call(t, 'POST /api/v1/rentals', input, { token: user.token })
  if (data.phone === null) throw new Error('rented without a number')
  return { ...data, phone: data.phone }
}

export async function readRental(t: TestApp, user: TestUser, id: number) {
  return (await call(t, 'GET /api/v1/rentals/{id}', { id }, { token: user.token })).data
}

export async function rentTransfersOf(ctx: Context, id: number): Promise<string[]> {
  const { rows } = await ctx.db.query<{ move: string }>({
    text: `SELECT c.purpose || ' ' || t.kind AS move FROM transfers t JOIN charges c ON c.id = t.charge_id
      WHERE c.rental_id = $1 ORDER BY t.id`,
    values: [id],
  })
  return rows.map((row) => row.move)
}

/** Moves the clock on by `ms` and renews the user's session, which might have expired. */
export async function later(t: TestApp, user: TestUser, ms: number): Promise<void> {
  t.clock.advance(ms)
  Object.assign(user, await beginTestSession(t.ctx, user.id))
}
