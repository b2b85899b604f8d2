import { expect, test } from 'vitest'
import { splitKey } from '#server/house/http/call.ts'
import { calls } from '#server/programs/app.ts'
import { startSandboxTest } from '#test/services/sandbox-service.ts'

test('17.6: every reply of a call that takes a key says so of a sandbox key, whatever comes of it; no other does', async () => {
  await using s = await startSandboxTest({ config: { apiRequestsPerSecond: 1_000 } })
  const { t, user, token } = s
  const real = await t.makeApiKey(user)
  const silent: string[] = []
  const wrong: string[] = []
  const ask = async (
    method: string,
    path: string,
    { body, isForAll = false }: { body?: string | undefined; isForAll?: boolean } = {},
  ) => {
    for (const key of [token, real]) {
      const reply = await t.fetch(path, {
        method,
        headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body }),
      })
      await reply.body?.cancel()
      const told = reply.headers.get('sandbox')
      if (key === token && told !== 'true' && !isForAll) silent.push(`${method} ${path} ${reply.status}`)
      if ((key === real || isForAll) && told !== null) wrong.push(`${method} ${path}`)
    }
  }
  for (const { key, auth } of calls) {
    const { method, path } = splitKey(key)
    await ask(method, path.replaceAll(/\{\w+\}/g, '1'), {
      body: method === 'GET' ? undefined : '{}',
      isForAll: auth === 'none',
    })
  }
  for (const path of ['/v1/guest/countries', '/v1/nothing']) await ask('GET', path)
  for (const path of ['/api/openapi.json', '/healthz']) await ask('GET', path, { isForAll: true })
  expect({ silent, wrong }).toEqual({ silent: [], wrong: [] })
})
