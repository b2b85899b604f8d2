import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { userChannel } from '#contract/live-events.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

/** The package pusher-js is CommonJS that exports the class itself, while its types describe an ES module. */
const Pusher: typeof import('pusher-js').default = createRequire(import.meta.url)('pusher-js')

function told(source: { bind(name: string, listener: (data: unknown) => void): unknown }, name: string) {
  return new Promise<unknown>((resolve) => source.bind(name, resolve))
}

test('17.8: pusher-js listens with an API key, and a revoked key closes its socket for good', async () => {
  await using t = await startTestApp()
  using cleanup = new DisposableStack()
  const user = await t.makeUser()
  const key = await t.makeApiKey(user)
  const { hostname, port } = new URL(t.url)
  const options = {
    cluster: '',
    wsHost: hostname,
    wsPort: Number(port),
    forceTLS: false,
    enabledTransports: ['ws' as const],
    channelAuthorization: {
      transport: 'ajax' as const,
      endpoint: `${t.url}/broadcasting/auth`,
      headers: { Authorization: `Bearer ${key}` },
    },
  }
  const pusher = cleanup.adopt(new Pusher('ringpost', options), (one) => one.disconnect())
  const channel = pusher.subscribe(userChannel(user.id))
  await told(channel, 'pusher:subscription_succeeded')
  const topup = told(channel, 'BalanceTopup')
  t.ctx.realtime.publish(userChannel(user.id), 'BalanceTopup', { balance: '5', currency: 'rub' })
  expect(await topup).toEqual({ balance: '5', currency: 'rub' })

  const [closed, away] = [told(pusher.connection, 'error'), told(pusher.connection, 'disconnected')]
  const { data } = await call(t, 'GET /api/v1/keys', {}, user)
  await call(t, 'DELETE /api/v1/keys/{id}', { id: data[0]?.id ?? 0 }, user)
  expect(await closed).toMatchObject({ data: { code: 4009 } })
  await away
  expect(pusher.connection.state).toBe('disconnected')
})
