import { expect, test } from 'vitest'
import { rawRequest } from '#test/harness/raw-request.ts'
import { startProtocolTest } from '#test/services/handler-api-service.ts'

const ADDRESS = '/stubs/handler_api.php'

test('C-9: doubled and trailing slashes of the address are the same address, without a redirect', async () => {
  await using p = await startProtocolTest()
  const query = `?api_key=${p.key}&action=getBalance`
  for (const path of [
    ADDRESS,
    `/${ADDRESS}`,
    `${ADDRESS}/`,
    `/${ADDRESS}/`,
    '/stubs//handler_api.php',
    '//stubs//handler_api.php',
    '//stubs//handler_api.php/',
  ]) {
    for (const method of ['GET', 'POST']) {
      const { statusCode, headers, body } = await rawRequest(p.t.app, { path: `${path}${query}`, method })
      expect({ path, statusCode, body }).toEqual({ path, statusCode: 200, body: 'ACCESS_BALANCE:100.00' })
      expect(headers.location).toBeUndefined()
    }
  }
})

// B9: URLs without `.php` gave a 404 with JSON, but clients expect a text.
test('B9: the address without its ending is the same address, in each dialect', async () => {
  await using p = await startProtocolTest()
  for (const path of [
    '/stubs/handler_api',
    '/stubs/handler_api/',
    '//stubs//handler_api',
    '/hero-sms/stubs/handler_api',
  ]) {
    for (const method of ['GET', 'POST']) {
      const asked = { path: `${path}?api_key=${p.key}&action=getBalance`, method }
      const { statusCode, body } = await rawRequest(p.t.app, asked)
      expect([path, statusCode, body]).toEqual([path, 200, 'ACCESS_BALANCE:100.00'])
    }
    expect((await rawRequest(p.t.app, { path })).statusCode).toBe(200)
  }
})

test('C-9: nothing else is tidied: other paths with such slashes stay unknown, and lead nowhere', async () => {
  await using p = await startProtocolTest()
  for (const path of [
    '///stubs/handler_api.php',
    '/stubs/handler_api.php//',
    '/x//stubs/handler_api.php',
    '/stubs/x/handler_api.php',
    '//evil.example/stubs/handler_api.php',
    '//evil.example',
    '//api/services',
    '/api//services',
    '/api/services/',
    '/stubs/../stubs/handler_api.php',
    '/Stubs/handler_api.php',
    '//readyz',
  ]) {
    const { statusCode, headers } = await rawRequest(p.t.app, { path: `${path}?action=getCountries` })
    expect({ path, statusCode, location: headers.location }).toEqual({ path, statusCode: 404, location: undefined })
  }
})

test('C-10: a key is taken from each place where the field puts it', async () => {
  await using p = await startProtocolTest()
  const ask = async (headers: Record<string, string>, query = '') =>
    (await rawRequest(p.t.app, { path: `${ADDRESS}?action=getBalance${query}`, headers })).body
  const other = await p.t.makeApiKey(await p.t.makeUser({ balance: '7' }))
  const places: Record<string, string>[] = [
    { authorization: `Bearer ${p.key}` },
    { authorization: `ApiKey ${p.key}` },
    { authorization: `apikey  ${p.key}` },
    { 'x-api-key': p.key },
    { 'x-apikey': p.key },
    { authorization: `ApiKey ${p.key}`, 'x-api-key': other },
  ]
  for (const headers of places) expect(await ask(headers)).toBe('ACCESS_BALANCE:100.00')
  expect(await ask({}, `&apikey=${p.key}`)).toBe('ACCESS_BALANCE:100.00')
  expect(await ask({}, `&apiKey=${p.key}`)).toBe('ACCESS_BALANCE:100.00')
  // The client aiosmsactivate writes parameter names with spaces.
  expect(await ask({}, `&api_key%20=${p.key}`)).toBe('ACCESS_BALANCE:100.00')
  expect(await ask({ 'x-api-key': other }, `&api_key=${p.key}`)).toBe('ACCESS_BALANCE:100.00')
  expect(await ask({ 'x-api-key': p.key }, '&api_key=undefined')).toBe('ACCESS_BALANCE:100.00')
  // W-7: a proxy password in the Authorization header does not hide the API key.
  const basic = `Basic ${Buffer.from('proxy:password').toString('base64')}`
  expect(await ask({ authorization: basic, 'x-api-key': p.key })).toBe('ACCESS_BALANCE:100.00')
  const user = { path: '/api/user', headers: { authorization: basic, 'x-api-key': p.key } }
  expect((await rawRequest(p.t.app, user)).statusCode).toBe(200)
  const elsewhere: Record<string, string>[] = [
    { authorization: `Basic ${p.key}` },
    { authorization: `Bearer ${'x '.repeat(3)}`, 'x-api-key': p.key },
    { authorization: 'ApiKey', 'x-api-key': p.key },
    { 'x-api-key': '' },
    { cookie: `api_key=${p.key}` },
  ]
  for (const headers of elsewhere) expect(await ask(headers)).toBe('NO_KEY')
})

test('C-10: refused keys count against the network and are noted, wherever they are shown', async () => {
  await using p = await startProtocolTest()
  const wrong = (n: number) => String(n).padStart(32, 'x')
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:100.00')
  const shown = [
    (key: string) => ({ authorization: `ApiKey ${key}` }),
    (key: string) => ({ 'x-api-key': key }),
    (key: string) => ({ 'x-apikey': key }),
  ]
  const seen = new Map<string, number>()
  for (let n = 0; n < 70; n += 1) {
    const headers = shown[n % shown.length]?.(wrong(n)) ?? {}
    const { body } = await rawRequest(p.t.app, { path: `${ADDRESS}?action=getBalance`, headers })
    seen.set(body, (seen.get(body) ?? 0) + 1)
  }
  expect([...seen]).toEqual([
    ['BAD_KEY', 60],
    ['RATE_LIMIT', 10],
  ])
  const lines = p.t.log.lines.filter(({ sentence }) => sentence === 'refused')
  expect(lines.length).toBeGreaterThan(0)
  expect(JSON.stringify(p.t.log.lines)).not.toContain(wrong(0))
  const good = await rawRequest(p.t.app, { path: `${ADDRESS}?action=getBalance`, headers: { 'x-api-key': p.key } })
  expect(good.body).toBe('ACCESS_BALANCE:100.00')
})
