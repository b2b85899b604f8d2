import { expect } from 'vitest'
import { look } from '#test/builders/payments.ts'
import {
  BTCPAY_KEY,
  BTCPAY_SECRET,
  BTCPAY_STORE,
  type BtcpayHouse,
  type HousePayment,
} from '#test/fakes/btcpay-house.ts'
import type { TestApp, TestUser } from '#test/harness/harness.ts'

export const BTCPAY_SETTINGS = {
  store_id: BTCPAY_STORE,
  api_key: BTCPAY_KEY,
  webhook_secrets: ['the old secret', BTCPAY_SECRET],
}

/** Adds a gateway `coin` of a fake BTCPay store, and creates a payer with an account in dollars. */
export async function openBtcpayShop(
  t: TestApp,
  house: BtcpayHouse,
  more: Record<string, unknown> = {},
): Promise<TestUser> {
  const settings = { ...BTCPAY_SETTINGS, url: `${house.url}/`, ...more }
  await t.addGateway({ code: 'coin', kind: 'btcpay', settings })
  const user = await t.makeUser({ currency: 'usd', balance: '0.00' })
  return { ...user, token: await t.makeApiKey(user) }
}

export async function tellBtcpay(
  t: TestApp,
  event: { body: string; headers: Record<string, string> },
  path = '/gateways/coin/events',
): Promise<number> {
  const { status } = await t.fetch(path, { method: 'POST', ...event })
  await t.ctx.background.idle()
  return status
}

export const settled = (id: string, value: string, more: Partial<HousePayment> = {}): HousePayment => ({
  id,
  value,
  status: 'Settled',
  ...more,
})

/**
 * Changes an invoice's state at the fake BTCPay and sends a webhook. Returns the payment's state and the credited sum.
 */
export async function becomeInvoice(
  t: TestApp,
  { house, order, user }: { house: BtcpayHouse; order: string; user: TestUser },
  [status, more]: [string, { additional?: string; payments?: HousePayment[] }?],
): Promise<[string, string]> {
  const { id, metadata } = house.set(order, status, more)
  expect(await tellBtcpay(t, house.event(`Invoice${status}`, { invoiceId: id, metadata }))).toBe(200)
  const { state, credited } = await look(t, user, order)
  return [state, credited]
}
