import { pushSms } from '#test/builders/activation-rows.ts'
import type { FakeSupplier } from '#test/fakes/fake-supplier.ts'
import { startPushService } from '#test/fakes/push-service.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

export const startPushing = () => startTestApp({ environment: { OUTBOUND_PRIVATE_HOSTS: '127.0.0.1' } })

export async function subscribed(t: TestApp, user: { token: string }, name?: string) {
  const service = await startPushService()
  const { public_key } = await call(t, 'GET /api/v1/push', {}, { token: user.token })
  const subscription = service.subscribe(public_key, name)
  const { subscriptions } = await call(t, 'POST /api/v1/push/subscriptions', subscription, { token: user.token })
  return { ...service, id: subscriptions[0]?.id ?? 0, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}

const supplying = new WeakMap<TestApp, FakeSupplier>()

export async function receiveCode(t: TestApp, user: TestUser): Promise<void> {
  const supplier = supplying.get(t) ?? (await t.addFake())
  supplying.set(t, supplier)
  const order = { service_id: 'tg', country_id: 2 }
  const { data } = await call(t, 'POST /api/v1/activations', order, { token: user.token })
  await pushSms(t, supplier, { phone: data.phone ?? '', text: 'Your code: 48213' })
  await t.runJobs()
}
