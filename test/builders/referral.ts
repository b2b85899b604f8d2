import type { Referral } from '#contract/programmes/referral.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { sweepReferral } from '#server/core/programmes/referral/settle-shares.ts'
import { payer } from '#test/builders/payments.ts'
import type { FakeSupplier } from '#test/fakes/fake-supplier.ts'
import { call } from '#test/harness/calls.ts'
import type { TestApp, TestUser } from '#test/harness/harness.ts'

export type Person = TestUser

/**
 * Creates a person who registered by a referrer's link. The person's token is an API key, because a session would
 * expire when a test moves the clock by days.
 */
export async function invited(t: TestApp, referrer: Person, balance = '1000.00', currency?: 'usd'): Promise<Person> {
  const user =
    currency === undefined ? await payer(t, balance) : await withKey(t, await t.makeUser({ balance, currency }))
  await t.ctx.db.query({ text: 'UPDATE users SET referrer_id = $1 WHERE id = $2', values: [referrer.id, user.id] })
  return user
}

async function withKey(t: TestApp, user: Person): Promise<Person> {
  return { ...user, token: await t.makeApiKey(user) }
}

let messages = 0

/** Buys a Telegram number in Kazakhstan and delivers its code, so that the price is spent. */
export async function spend(t: TestApp, supplier: FakeSupplier, user: Person): Promise<{ id: number; price: string }> {
  const order = { service_id: 'tg', country_id: 2 }
  const { data } = await call(t, 'POST /api/v1/activations', order, { token: user.token })
  messages += 1
  await receiveSms(t.ctx, {
    supplierId: supplier.id,
    messageId: `referral-${messages}`,
    phone: data.phone ?? '',
    sender: 'Telegram',
    text: `Telegram code 54321 (${messages})`,
  })
  return { id: data.id, price: data.price }
}

export async function referralOf(t: TestApp, user: Person): Promise<Referral> {
  return (await call(t, 'GET /api/v1/referral', {}, { token: user.token })).data
}

export async function figuresOf(t: TestApp, user: Person): Promise<string[]> {
  await sweepReferral(t.ctx)
  const { pending, checking, available, withdrawn } = await referralOf(t, user)
  return [pending, checking, available, withdrawn]
}
