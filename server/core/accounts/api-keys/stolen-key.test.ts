import { expect, test } from 'vitest'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

test('P-5: who floods with a stolen key keeps its owner from nothing: it is revoked all the same', async () => {
  await using t = await startTestApp({ config: { apiRequestsPerSecond: 2 } })
  const user = await t.makeUser()
  const { data: key, secret } = await call(t, 'POST /api/v1/keys', { name: 'Shop', scopes: ['read'] }, user)
  const ask = async () => {
    const response = await t.fetch('/api/user', { token: secret })
    return response.ok ? 'OK' : ((await response.json()) as { code: string }).code
  }
  const flood = () => Promise.all(Array.from({ length: 20 }, ask))
  expect(await flood()).toContain('TOO_MANY_REQUESTS')
  const body = new URLSearchParams({ socket_id: '1.1', channel_name: `private-user.${user.id}` })
  const listen = (token: string) => t.fetch('/broadcasting/auth', { method: 'POST', token, body })
  const told = await Promise.all(Array.from({ length: 20 }, async () => (await listen(secret)).status))
  expect(told).toContain(429)
  expect((await listen(user.token)).status).toBe(403)
  await call(t, 'DELETE /api/v1/keys/{id}', { id: key.id }, user)
  expect(new Set(await flood())).toEqual(new Set(['UNAUTHENTICATED']))
})
