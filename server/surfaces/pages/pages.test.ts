import { brotliDecompressSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { CallError } from '#contract/calls/calls.ts'
import type { PageReply, PageRequest } from '#contract/page-request.ts'
import { readConfig } from '#server/house/config/config.ts'
import { alternatesOf } from '#server/house/config/zone-origin.ts'
import { databaseUnavailable } from '#server/house/errors/errors.ts'
import { startPages } from '#test/services/page-service.ts'

test('a visitor gets the page from the cache, compressed, and 304 when it is the one they have', async () => {
  await using site = await startPages()
  const first = await site.get('/?service=tg&utm_source=ad', { 'accept-encoding': 'gzip, br' })
  expect(first.statusCode).toBe(200)
  expect(first.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-encoding': 'br',
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding, Accept-Language, Cookie',
  })
  expect(brotliDecompressSync(first.rawPayload).toString()).toBe('<p>visitor /?service=tg</p>')
  const second = await site.get('/?service=tg&ref=7', { 'if-none-match': String(first.headers.etag) })
  expect(second.statusCode).toBe(304)
  expect(second.body).toBe('')
  expect(site.rendered).toHaveLength(1)
})

test('language, theme and query make pages of their own; other cookies do not', async () => {
  await using site = await startPages()
  await site.get('/')
  await site.get('/', { cookie: 'locale=en' })
  await site.get('/', { cookie: 'theme=dark' })
  await site.get('/?service=tg')
  await site.get('/', { cookie: 'utm=x; locale=xx; theme=pink' })
  expect(site.rendered.map(({ locale, theme, url }) => [locale, theme, url.search])).toEqual([
    ['ru', 'light', ''],
    ['en', 'light', ''],
    ['ru', 'dark', ''],
    ['ru', 'light', '?service=tg'],
  ])
})

test('E-9: a first visit is in the language that the browser asks for, and the choice made here counts more', async () => {
  await using site = await startPages({ render: ({ locale }) => ({ kind: 'page', status: 200, html: locale }) })
  const shown = async (headers: Record<string, string>) => (await site.get('/', headers)).body
  // Each request runs twice, because the second answer comes from the cache.
  for (let time = 0; time < 2; time += 1) {
    expect(await shown({})).toBe('ru')
    expect(await shown({ 'accept-language': 'en-US,en;q=0.9,ru;q=0.8' })).toBe('en')
    expect(await shown({ 'accept-language': 'ru,en;q=0.5' })).toBe('ru')
    expect(await shown({ 'accept-language': 'de' })).toBe('ru')
    expect(await shown({ 'accept-language': 'en', cookie: 'locale=ru' })).toBe('ru')
    expect(await shown({ 'accept-language': 'en', cookie: 'locale=xx' })).toBe('en')
    expect(await shown({ 'accept-language': 'en', 'user-agent': 'Googlebot/2.1' })).toBe('ru')
  }
})

test('a page is in a draft of a language only where the site offers the draft', async () => {
  const render = ({ locale, locales, alternates }: PageRequest): PageReply => {
    const html = [locale, locales.join(), ...alternates.map((other) => other.locale)].join(' ')
    return { kind: 'page', status: 200, html }
  }
  const { config } = readConfig({ DEMO: '1', LOCALES: 'ru,en,es,zh' })
  await using site = await startPages({ render, config: { zones: config.zones } })
  await using plain = await startPages({ render })
  const shown = async (headers: Record<string, string>) => {
    return [(await site.get('/', headers)).body, (await plain.get('/', headers)).body]
  }
  // Each request runs twice, because the second answer comes from the cache.
  for (let time = 0; time < 2; time += 1) {
    expect(await shown({ cookie: 'locale=es' })).toEqual(['es ru,en,es,zh', 'ru ru,en'])
    expect(await shown({ cookie: 'locale=es', 'accept-language': 'en' })).toEqual(['es ru,en,es,zh', 'en ru,en'])
    expect(await shown({ 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' })).toEqual(['zh ru,en,es,zh', 'en ru,en'])
    expect(await shown({ 'accept-language': 'zh' })).toEqual(['zh ru,en,es,zh', 'ru ru,en'])
    expect(await shown({})).toEqual(['ru ru,en,es,zh', 'ru ru,en'])
  }
})

test('drafts are not advertised as other languages of the site', async () => {
  const zone = (name: string, locale: string) => ({ name, hosts: [`${name}.test`], currency: 'usd', locales: [locale] })
  const ZONES = JSON.stringify([zone('one', 'ru'), zone('two', 'en'), zone('three', 'es')])
  const { config } = readConfig({ DEMO: '1', PUBLIC_URL: 'https://one.test', ZONES })
  expect(alternatesOf(config).map(({ locale }) => locale)).toEqual(['ru', 'en'])
})

test('a signed-in page is private, made for each request and never given to a visitor', async () => {
  await using site = await startPages()
  const own = await site.get('/', { cookie: '__Host-auth_token=anna' })
  expect(own.body).toBe('<p>bearer-of-anna /</p>')
  expect(own.headers['cache-control']).toBe('private, no-store')
  expect(own.headers.etag).toBeUndefined()
  expect((await site.get('/')).body).toBe('<p>visitor /</p>')
  expect((await site.get('/', { cookie: '__Host-auth_token=anna' })).body).toBe('<p>bearer-of-anna /</p>')
  expect((await site.get('/', { cookie: '__Host-auth_token=expired' })).body).toBe('<p>visitor /</p>')
  expect(site.rendered.map(({ session }) => session.status)).toEqual([
    'authenticated',
    'unauthenticated',
    'authenticated',
  ])
})

test('the payload of a page is data of a visitor, whoever asks first', async () => {
  await using site = await startPages()
  const payload = await site.get('/_payload.json', { cookie: '__Host-auth_token=anna' })
  expect(payload.json()).toEqual({ buildId: 'build-1', now: expect.any(String), loaderData: { index___ru: 'visitor' } })
  expect((await site.get('/_payload.json')).json().loaderData).toEqual({ index___ru: 'visitor' })
  expect((await site.get('/')).body).toBe('<p>visitor /</p>')
  const secret = await site.get('/secret/_payload.json')
  expect([secret.statusCode, secret.json().code]).toEqual([401, 'UNAUTHENTICATED'])
})

test('the same request is answered the same again, to the letter; another host, language or version of it is not', async () => {
  await using site = await startPages()
  const ask = (headers: Record<string, string> = {}) =>
    site.get('/', { host: 'a.test', 'accept-encoding': 'br', ...headers })
  const [first, again] = [await ask(), await ask()]
  expect([again.statusCode, again.rawPayload, site.kept()]).toEqual([200, first.rawPayload, 1])
  expect({ ...again.headers, date: '' }).toEqual({ ...first.headers, date: '' })
  expect((await ask({ host: 'b.test' })).headers['content-security-policy']).toContain('wss://b.test')
  expect((await ask({ 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip')
  expect(brotliDecompressSync((await ask({ cookie: '__Host-auth_token=anna' })).rawPayload).toString()).toContain(
    'bearer-of-anna',
  )
  for (const time of ['first', 'second']) {
    const known = await ask({ 'if-none-match': String(first.headers.etag) })
    expect([time, known.statusCode, known.body, known.headers.etag]).toEqual([time, 304, '', first.headers.etag])
  }
  const head = await site.ask({ method: 'HEAD', path: '/', headers: { host: 'a.test', 'accept-encoding': 'br' } })
  expect([head.statusCode, head.body]).toEqual([200, ''])
})

test('a kept page is the same to the letter, whichever visitor it was made for', async () => {
  const shown = ({ api: _api, now: _now, ...page }: PageRequest) => JSON.stringify(page)
  await using site = await startPages({ render: (page) => ({ kind: 'page', status: 200, html: shown(page) }) })
  const asFirst = async (headers: Record<string, string>) => {
    site.passMs(10_000)
    const { body } = await site.get('/price', headers)
    return [body, (await site.get('/price')).body]
  }
  const [plain = ''] = await asFirst({})
  const visitors: Record<string, string>[] = [
    { cookie: '__Host-auth_token=made-up; time_zone=America/Whitehorse' },
    { cookie: '__Host-refresh_token=made-up; time_zone=Asia/Tokyo; theme=light; locale=ru' },
    { cookie: 'time_zone=America/Whitehorse; device=one; registration=begun; utm=x; theme=pink; locale=xx' },
    { authorization: 'Bearer made-up', 'user-agent': 'Googlebot/2.1', referer: 'https://else.test/' },
    { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-host': 'else.test', 'x-forwarded-proto': 'http' },
    { host: 'else.test', zone: 'nowhere', 'accept-language': 'de', accept: 'text/html', 'sec-ch-ua': '"x"' },
  ]
  for (const headers of visitors) expect([headers, await asFirst(headers)]).toEqual([headers, [plain, plain]])
  expect(site.rendered).toHaveLength(visitors.length + 1)
  expect(plain).toContain('"browserTimeZone":null')
})

test('a page that is being made is shared by nobody who is shown another: a refused path has its own', async () => {
  await using site = await startPages({
    render: async ({ refused }) => {
      await vi.waitUntil(() => site.rendered.length === 2)
      return { kind: 'page', status: refused?.httpStatus ?? 200, html: refused?.code ?? 'found' }
    },
  })
  const ask = (path: string) => site.get(path, { accept: 'text/html' })
  const pages = await Promise.all([ask('/x%zz'), ask('/x%25zz')])
  expect(pages.map(({ statusCode, body }) => [statusCode, body])).toEqual([
    [400, 'MALFORMED_BODY'],
    [200, 'found'],
  ])
})

test('a page grows old by the clock', async () => {
  await using site = await startPages()
  await site.get('/')
  site.passMs(9_999)
  await site.get('/')
  expect(site.rendered).toHaveLength(1)
  site.passMs(1)
  await site.get('/')
  expect(site.rendered).toHaveLength(2)
})

test('a page does not outlive the prices it shows', async () => {
  await using site = await startPages()
  await site.get('/')
  site.catalog.version += 1
  await site.get('/')
  await site.get('/')
  expect(site.rendered).toHaveLength(2)
})

test('capital letters lead to small ones with the query kept, and never to another site', async () => {
  await using site = await startPages()
  const moved = await site.get('/Activations?Sort=Newest')
  expect([moved.statusCode, moved.headers.location]).toEqual([301, '/activations?Sort=Newest'])
  expect((await site.get('//Evil.test/x')).headers.location).toBe('/evil.test/x')
})

test('redirects, missing pages and failures are not kept', async () => {
  const replies: PageReply[] = [
    { kind: 'redirect', location: '/?login=1&redirect=%2Factivations' },
    { kind: 'page', status: 404, html: 'lost' },
    { kind: 'page', status: 500, html: 'sorry', error: new Error('the loader broke') },
    { kind: 'page', status: 200, html: 'found' },
  ]
  await using site = await startPages({ render: () => replies.shift() ?? { kind: 'page', status: 200, html: 'kept' } })
  const redirect = await site.get('/x')
  expect([redirect.statusCode, redirect.headers.location]).toEqual([302, '/?login=1&redirect=%2Factivations'])
  expect((await site.get('/x')).statusCode).toBe(404)
  expect((await site.get('/x')).statusCode).toBe(500)
  expect(site.log.lines.map(({ sentence }) => sentence)).toEqual(['a page could not be shown'])
  expect((await site.get('/x')).body).toBe('found')
  expect((await site.get('/x')).body).toBe('found')
})

test('files: hashed ones for ever and compressed, others for a day, and nothing else of the disk', async () => {
  await using site = await startPages()
  const script = await site.get('/assets/app-1.js', { 'accept-encoding': 'br' })
  expect(script.body).toBe('packed script')
  expect(script.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    'x-content-type-options': 'nosniff',
  })
  expect((await site.get('/assets/app-1.js')).body).toBe('plain script')
  const icon = await site.get('/favicon.svg')
  expect(icon.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' })
  expect((await site.get('/assets/app-1.js.br')).body).toBe('<p>visitor /assets/app-1.js.br</p>')
  expect((await site.get('/assets/..%2f..%2fpackage.json')).body).not.toContain('dependencies')
})

test('every page carries its security headers, and sockets of this host are allowed', async () => {
  await using site = await startPages()
  const { headers } = await site.get('/', { host: 'ringpost.test' })
  expect(headers['content-security-policy']).toBe(
    "default-src 'self'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; " +
      "connect-src 'self' wss://ringpost.test wss://ringpost.test:6001; worker-src 'self'; object-src 'none'; base-uri 'none'; " +
      "form-action 'self'; frame-ancestors 'none'",
  )
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'strict-transport-security': 'max-age=31536000',
  })
  const odd = await site.get('/', { host: "x; script-src 'unsafe-inline'" })
  expect(odd.headers['content-security-policy']).toContain("connect-src 'self';")
})

test('an unknown call is a JSON 404, and a page takes no body', async () => {
  await using site = await startPages()
  for (const url of ['/api/nothing', '/v1/nothing', '/stubs/nothing', '/builds/meta/other.json', '/assets/gone.js']) {
    const reply = await site.get(url)
    expect([url, reply.statusCode, reply.json().code]).toEqual([url, 404, 'NOT_FOUND'])
  }
  expect((await site.get('/builds/meta/build-1.json')).json()).toEqual({ id: 'build-1' })
  expect((await site.ask({ method: 'POST', path: '/' })).statusCode).toBe(404)
  const head = await site.ask({ method: 'HEAD', path: '/' })
  expect([head.statusCode, head.body]).toEqual([200, ''])
})

test('during maintenance everyone gets its message, without a look at who they are', async () => {
  const visitorOf = () => Promise.reject<never>(new Error('must not be asked'))
  await using site = await startPages({ config: { maintenanceMessage: 'Back at noon' }, visitorOf })
  const reply = await site.get('/activations', { cookie: '__Host-auth_token=anna' })
  expect([reply.statusCode, reply.body, reply.headers['retry-after']]).toEqual([503, '<p>Back at noon</p>', '60'])
})

// SP-11, B16: for a path that cannot be decoded, a person used to see only the router's JSON.
test('SP-11: a path that cannot be decoded shows a person the page of a refusal, and a program its JSON', async () => {
  await using site = await startPages()
  for (const path of ['/service/%E0%A4%A', '/blog/search/%E0%A4%A?page=2', '/%', '/a%zz.css', '/Price/%E0%A4%A']) {
    const { statusCode, body } = await site.get(path, { accept: 'text/html,*/*;q=0.8' })
    expect([path, statusCode, body]).toEqual([path, 400, '<p>Запрос не удалось разобрать</p>'])
    const program = await site.get(path, { accept: '*/*' })
    expect([path, program.statusCode, program.headers['content-type']]).toEqual([path, 400, 'application/json'])
  }
  const signedIn = await site.get('/service/%E0', { accept: 'text/html', cookie: '__Host-auth_token=anna' })
  expect([signedIn.statusCode, site.rendered.at(-1)?.session.status]).toEqual([400, 'authenticated'])
  const call = await site.get('/api/services/%E0', { accept: 'text/html' })
  expect([call.statusCode, call.headers['content-type']]).toEqual([400, 'application/json'])
  // An address with an escaped percent sign is a different, valid address.
  expect((await site.get('/service/%25e0%25a4%25a', { accept: 'text/html' })).statusCode).toBe(200)
})

test('without the database a signed-in visitor is told so, and nothing is kept', async () => {
  await using site = await startPages({ visitorOf: () => Promise.reject(databaseUnavailable()) })
  const reply = await site.get('/', { cookie: '__Host-auth_token=anna' })
  expect([reply.statusCode, reply.body]).toEqual([503, '<p>Сервис ненадолго стал недоступен. Попробуйте ещё раз</p>'])
  expect(reply.headers['cache-control']).toBe('private, no-store')
  expect((await site.get('/')).statusCode).toBe(200)
})

test('the page that tells of an outage is shown to a signed-in visitor as to anybody', async () => {
  await using site = await startPages({ visitorOf: () => Promise.reject(databaseUnavailable()) })
  const reply = await site.get('/status', { cookie: '__Host-auth_token=anna' })
  expect([reply.statusCode, reply.body]).toEqual([200, '<p>visitor /status</p>'])
})

test('when rendering itself breaks, plain words are left and the fault is logged', async () => {
  const render = () => {
    throw new CallError({ httpStatus: 500, code: 'SERVER_ERROR', message: 'a secret of ours' })
  }
  await using site = await startPages({ render })
  const reply = await site.get('/', { cookie: 'locale=en' })
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([500, 'text/html; charset=utf-8'])
  expect(reply.body).toContain('Server error. Try again later.')
  expect(reply.body).not.toContain('secret')
  expect(site.log.lines.map(({ sentence }) => sentence)).toEqual(['a page failed'])
})
