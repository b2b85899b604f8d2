import { expect } from 'vitest'
import { look } from '#test/builders/payments.ts'
import { HELEKET_KEY, HELEKET_MERCHANT, type HeleketHouse, type HouseInvoice } from '#test/fakes/heleket-house.ts'
import type { TestApp, TestUser } from '#test/harness/harness.ts'

export const HELEKET_SETTINGS = {
  merchant: HELEKET_MERCHANT,
  payment_key: HELEKET_KEY,
  webhook_addresses: ['127.0.0.0/8'],
}

export async function openHeleketShop(
  t: TestApp,
  house: HeleketHouse,
  more: Record<string, unknown> = {},
): Promise<TestUser> {
  const settings = { ...HELEKET_SETTINGS, api_url: `${house.url}/`, ...more }
  await t.addGateway({ code: 'coins', kind: 'heleket', settings })
  const user = await t.makeUser({ currency: 'usd', balance: '0.00' })
  return { ...user, token: await t.makeApiKey(user) }
}

type Sent = { body: string; headers: Record<string, string> }

export async function tell(t: TestApp, event: Sent, path = '/gateways/coins/events'): Promise<number> {
  const { status } = await t.fetch(path, { method: 'POST', ...event })
  await t.ctx.background.idle()
  return status
}

export async function become(
  t: TestApp,
  { house, order, user }: { house: HeleketHouse; order: string; user: TestUser },
  [status, more = {}]: [string, Partial<HouseInvoice>?],
): Promise<[string, string]> {
  house.set(order, status, more)
  expect(await tell(t, house.event(order))).toBe(200)
  const { state, received } = await look(t, user, order)
  return [state, received]
}
