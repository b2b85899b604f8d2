import type { z } from 'zod'
import type { webhookInputSchema } from '#contract/webhooks/webhook.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { createTestClock } from '#test/harness/test-clock.ts'

/** Starts a service for webhook tests. Its clock starts at the machine's time, which the signature verifier uses. */
export const startHooked = () =>
  startTestApp({
    environment: { OUTBOUND_PRIVATE_HOSTS: '127.0.0.1' },
    clock: createTestClock(new Date().toISOString()),
  })

export async function hook(
  t: TestApp,
  user: TestUser,
  input: Partial<z.input<typeof webhookInputSchema>> & { url: string },
) {
  const { data, secret } = await call(t, 'POST /api/v1/webhooks', { label: 'Shop', ...input }, user)
  return { ...data, secret: secret ?? '' }
}

export async function deliveriesOf(t: TestApp, user: TestUser, id: number) {
  return (await call(t, 'GET /api/v1/webhooks/{id}/deliveries', { id }, user)).data
}
