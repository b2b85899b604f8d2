import { expect, test } from 'vitest'
import { calls } from '#server/app.ts'
import { splitKey } from '#server/http/call.ts'
import { makeSandboxKey, startSandboxTest } from './test-sandbox.ts'

test('17.6: every reply to a sandbox key says so, whatever the call and whatever comes of it; none to another', async () => {
  await using s = await startSandboxTest({ config: { apiRequestsPerSecond: 1_000 } })
  const { t, user, token } = s
  const real = await t.makeApiKey(user)
  const silent: string[] = []
  const wrong: string[] = []
  const ask = async (method: string, path: string, body?: string) => {
    for (const key of [token, real]) {
      const reply = await t.fetch(path, {
        ...{ method, headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) } },
        ...(body && { body }),
      })
      await reply.body?.cancel()
      const told = reply.headers.get('sandbox')
      if (key === token && told !== 'true') silent.push(`${method} ${path} ${reply.status}`)
      if (key === real && told !== null) wrong.push(`${method} ${path}`)
    }
  }
  for (const { key } of calls) {
    const { method, path } = splitKey(key)
    await ask(method, path.replaceAll(/\{\w+\}/g, '1'), method === 'GET' ? undefined : '{}')
  }
  for (const path of ['/api/v1/nothing', '/api/openapi.json', '/v1/guest/countries', '/v1/nothing'])
    await ask('GET', path)
  await ask('POST', '/api/v1/activations', '{"broken')
  expect({ silent, wrong }).toEqual({ silent: [], wrong: [] })

  // A wrong key, or one from where it may not be used, is told nothing.
  const elsewhere = await makeSandboxKey(t, user, { addresses: ['192.0.2.0/24'] })
  for (const key of ['x'.repeat(32), elsewhere]) {
    const { status, headers } = await t.fetch('/api/v1/quality', { headers: { 'x-api-key': key } })
    expect([status, headers.get('sandbox')]).toEqual([200, null])
  }
})
