import { reconcilePayments } from '#server/core/payments/reconcile.ts'
import { payer } from '#test/builders/payments.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { YOOKASSA_KEY, YOOKASSA_SHOP, type YookassaHouse, type YookassaPayment } from './yookassa-house.ts'

const FROM_YOOKASSA = '185.71.76.5'

export type Shop = { t: TestApp; house: YookassaHouse; user: TestUser }

/** Starts a service that trusts the X-Forwarded-For header of a proxy on 127.0.0.1. */
export function startBehindProxy(): Promise<TestApp> {
  return startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
}

export async function openShop(
  t: TestApp,
  house: YookassaHouse,
  settings: Record<string, unknown> = {},
): Promise<Shop> {
  const shop = { shop_id: YOOKASSA_SHOP, secret_key: YOOKASSA_KEY, api_url: house.url }
  await t.addGateway({ code: 'yoo', kind: 'yookassa', settings: { ...shop, ...settings } })
  return { t, house, user: await payer(t) }
}

export async function tell({ t }: Shop, body: string, from = FROM_YOOKASSA): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': from }
  const { status } = await t.fetch('/gateways/yoo/events', { method: 'POST', body, headers })
  await t.ctx.background.idle()
  return status
}

/** Returns the payment at YooKassa with index `place`, by default the first. Throws if there is none. */
export function paymentIn({ house }: Shop, place = 0): YookassaPayment {
  const payment = [...house.payments.values()][place]
  if (payment === undefined) throw new Error(`YooKassa has no payment ${place}`)
  return payment
}

export async function passTime(t: TestApp, ms: number): Promise<void> {
  t.clock.advance(ms)
  await reconcilePayments(t.ctx)
}
