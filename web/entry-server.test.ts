import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Api, CallError, type Calls } from '#contract/calls/calls.ts'
import type { MailRenderer } from '#contract/mails.ts'
import type { PageRenderer, PageRequest } from '#contract/page-request.ts'
import { languageName } from '#contract/settings/languages.ts'
import spanish from '#web/locales/es/initial/header.json' with { type: 'json' }
import chinese from '#web/locales/zh/initial/header.json' with { type: 'json' }
import { SETTINGS, VISITOR } from '../test/components/app-context.ts'
import viteConfig from '../vite.config.ts'
import { assetsFor, type BuildManifest } from './build-manifest.ts'
import { NOT_FOUND_ROUTE, ROUTES } from './navigation/routes.ts'
import { HOME_FILE, screenFile } from './screens/load-screen.ts'

// vite.config.ts sets NODE_ENV to production, which must not leak into later test files of the same process.
const nodeEnvironment = vi.hoisted(() => process.env.NODE_ENV)
afterAll(() => {
  process.env.NODE_ENV = nodeEnvironment
})

/** The maximum size of the home page's scripts, in KB after gzip. React takes 66 KB and other libraries take 18 KB. */
const HOME_SCRIPT_LIMIT_KB = 125

let dist: string
let renderer: PageRenderer
let manifest: BuildManifest

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'pages-built-'))
  for (const isSsrBuild of [false, true]) {
    const config = viteConfig({ isSsrBuild, command: 'build', mode: 'production' })
    const outDir = join(dist, isSsrBuild ? 'server' : 'client')
    await build({
      ...config,
      configFile: false,
      logLevel: 'error',
      build: { ...config.build, ssr: isSsrBuild, outDir },
    })
  }
  renderer = await import(/* @vite-ignore */ pathToFileURL(join(dist, 'server/entry-server.js')).href)
  manifest = JSON.parse(await readFile(join(dist, 'client/.vite/manifest.json'), 'utf8'))
}, 120_000)

afterAll(() => rm(dist, { recursive: true, force: true }))

const measured = { price: '12.50', count: 9, success_share: 0.9, median_seconds: 8 }
const telegram = { id: 'tg', name: 'Telegram', is_favorite: false, ...measured }
const kazakhstan = { id: 2, name: 'Казахстан', iso2: 'kz', dial: '7', is_favorite: false, ...measured }
const replies: Partial<Record<keyof Calls, unknown>> = {
  'GET /api/services': { status: true, count: 1, favorites: 0, services: [telegram] },
  'GET /api/countries': { status: true, count: 1, favorites: 0, countries: [kazakhstan] },
  'GET /api/v1/facts': {
    status: true,
    days: 7,
    codes: { share: 0.94, purchases: 12_000 },
    wait: null,
    returned: null,
    payments: [],
    support: { email: null, telegram: null, median_answer_seconds: null },
  },
  'GET /api/price': {
    status: true,
    data: { operators: [{ id: 'any', name: 'any', ...measured }], price: '12.50', count: 9, currency: 'rub' },
  },
}

function pageRequest(path: string, changes: Partial<PageRequest> = {}, failing?: { error: unknown }): PageRequest {
  const api = (async (key: keyof Calls) => {
    if (failing !== undefined) throw failing.error
    const reply = replies[key]
    if (reply === undefined) throw new Error(`the test has no reply to ${key}`)
    return reply
  }) as Api
  return {
    url: new URL(path, 'https://ringpost.test'),
    locale: 'ru',
    locales: ['ru', 'en'],
    theme: 'light',
    browserTimeZone: null,
    zone: { name: 'ru', currency: 'rub' },
    session: VISITOR,
    settings: SETTINGS,
    api,
    now: '2026-01-01T00:00:00.000Z',
    publicUrl: 'https://ringpost.test',
    alternates: [],
    indexing: true,
    refused: null,
    ...changes,
  }
}

async function html(page: PageRequest): Promise<{ status: number; html: string; error?: unknown }> {
  const reply = await renderer.render(page)
  if (reply.kind !== 'page') throw new Error(`a redirect to ${reply.location}`)
  return reply
}

function dataOf(page: string): Record<string, unknown> {
  return JSON.parse(/<script id="page-data" type="application\/json">(.*?)<\/script>/s.exec(page)?.[1] ?? 'null')
}

test('home is rendered with its data, its head and no script but files of this site', async () => {
  const page = await html(pageRequest('/?service=tg'))
  expect(page.status).toBe(200)
  expect(page.html).toContain('<!doctype html><html lang="ru" class="light"')
  expect(page.html).toContain('Telegram')
  expect(page.html).toContain('<meta name="robots" content="index, follow"/>')
  expect(page.html).toContain('<link rel="canonical" href="https://ringpost.test"/>')
  expect(dataOf(page.html)).toMatchObject({ buildId: renderer.buildId, failure: null, locale: 'ru' })
  const scripts = [...page.html.matchAll(/<script\b([^>]*)>/g)].map(([, attributes]) => attributes ?? '')
  for (const attributes of scripts) expect(attributes).toMatch(/type="application\/(?:ld\+)?json"|src="\/assets\//)
  const preloads = page.html.match(/<link rel="modulepreload"[^>]*>/g) ?? []
  expect(preloads.length).toBeGreaterThan(3)
  for (const preload of preloads) expect(preload).toContain('fetchPriority="low"')
  expect(page.html).not.toContain('<style')
})

test('the showcase of the home page is whole in the HTML and at rest, and its script comes later', async () => {
  const page = await html(pageRequest('/?service=tg'))
  expect(page.html).toMatch(/<figure [^>]*data-step="copied"/)
  expect(page.html).toMatch(/class="ticket-phone[^>]*>\+7 \d{3} \d{3} \d\d \d\d/)
  expect(page.html).toContain('94\u00a0%')
  expect(page.html).toContain('https://ringpost.test/stubs/handler_api.php')
  // The countries of a chosen service are those of the panel, so the page has them once.
  expect(dataOf(page.html).loaderData).toMatchObject({ index___ru: { visitors: { popular: null } } })
  const { modules } = assetsFor(manifest, { file: HOME_FILE, locale: 'ru' })
  const showcase = manifest['web/screens/home/showcase/showcase.tsx']
  expect(showcase?.isDynamicEntry).toBe(true)
  expect(modules).not.toContain(`/${showcase?.file}`)
  // The page waits for the showcase, so a showcase that imported the page would wait for itself.
  expect(showcase?.imports).not.toContain(HOME_FILE)
})

test('mails are built beside the pages', async () => {
  const mails: MailRenderer = await import(/* @vite-ignore */ pathToFileURL(join(dist, 'server/entry-mails.js')).href)
  const mail = { kind: 'verify-email', code: '048213' } as const
  const letter = await mails.renderMail({ mail, locale: 'en', publicUrl: 'https://ringpost.test' })
  expect(letter.subject).toBe('048213 is your Ringpost code')
  expect(letter.html).toContain('048213')
})

test('1.18, 1.20, 2.17: language and theme are those asked for, and one language leaves no menu', async () => {
  const page = await html(pageRequest('/', { locale: 'en', theme: 'dark' }))
  expect(page.html).toContain('<html lang="en" class="dark"')
  expect(page.html).toContain('>Home<')
  expect(page.html).toContain('aria-label="Language: English"')
  expect((await html(pageRequest('/', { locales: ['en'], locale: 'en' }))).html).not.toContain('Language')
  expect((await html(pageRequest('/', { theme: 'system' }))).html).toContain('<html lang="ru" class="system"')
})

test('a draft has its texts, its name in the menu and its scripts, and is no other address of the site', async () => {
  const locales = ['ru', 'en', 'es', 'zh'] as const
  for (const [locale, tag, texts] of [
    ['es', 'es_MX', spanish],
    ['zh', 'zh_CN', chinese],
  ] as const) {
    const page = await html(pageRequest('/', { locale, locales: [...locales] }))
    expect(page.html).toContain(`<html lang="${locale}"`)
    expect(page.html).toContain(`>${texts.home}<`)
    expect(page.html).toContain(`aria-label="${texts.language.replace('{name}', languageName(locale))}"`)
    expect(page.html).toContain(`<meta property="og:locale" content="${tag}"/>`)
    expect(page.html).not.toContain('hrefLang')
    expect(page.html).toContain('12,000')
    const { modules } = assetsFor(manifest, { file: HOME_FILE, locale })
    const loaded = locales.map((one) => modules.includes(`/${manifest[`web/locales/${one}/initial`]?.file}`))
    expect(loaded).toEqual(locales.map((one) => one === locale))
  }
})

test('6.2: indexed only where it is set, never by named engines in foreign zones, nor a way in', async () => {
  const robotsOf = async (path: string, changes: Partial<PageRequest>) =>
    [
      ...(await html(pageRequest(path, changes))).html.matchAll(
        /<meta name="(robots|yandex|mail\.ru)" content="([^"]*)"/g,
      ),
    ]
      .map(([, engine, rule]) => `${engine}: ${rule}`)
      .join('; ')
  const { currency } = SETTINGS
  expect(await robotsOf('/', {})).toBe('robots: index, follow')
  expect(await robotsOf('/', { indexing: false })).toBe('robots: noindex, nofollow')
  for (const name of ['net', 'rip', 'org', 'io', 'com']) {
    const told = await robotsOf('/', { zone: { name, currency } })
    expect([name, told]).toEqual([name, 'robots: index, follow; yandex: noindex; mail.ru: noindex'])
  }
  const ways = ['/check/reset-password?token=t&email=e', '/auth/google/callback?code=c', '/auth/telegram/link-callback']
  for (const path of ways) expect([path, await robotsOf(path, {})]).toEqual([path, 'robots: noindex, nofollow'])
})

test('6.1: a visitor of a signed-in screen is sent to sign in and back', async () => {
  const reply = await renderer.render(pageRequest('/activations?sort=oldest'))
  expect(reply).toEqual({ kind: 'redirect', location: '/?login=1&redirect=%2Factivations%3Fsort%3Doldest' })
})

test('an unknown path is status 404 with the texts of the specification', async () => {
  const page = await html(pageRequest('/no/such/page', { locale: 'en' }))
  expect(page.status).toBe(404)
  for (const text of [
    'Page not found',
    'This page doesn’t exist',
    'Having trouble?',
    'Contact support',
    'Go to the home page',
  ]) {
    expect(page.html).toContain(text)
  }
  expect(page.html).toContain('<meta name="robots" content="noindex, nofollow"/>')
})

test('a loader that breaks makes a page of status 500 that says nothing of the fault', async () => {
  const error = new TypeError('password of the database is hunter2')
  const page = await html(pageRequest('/', { locale: 'en' }, { error }))
  expect(page.status).toBe(500)
  expect(page.error).toBe(error)
  expect(page.html).toContain('Server error')
  expect(page.html).not.toContain('hunter2')
  expect(dataOf(page.html).failure).toEqual({ httpStatus: 500, code: 'SERVER_ERROR', message: '' })
})

test('what the server says a screen lacks is status 404 too', async () => {
  const error = new CallError({ httpStatus: 404, code: 'NOT_FOUND', message: 'Не найдено' })
  const page = await html(pageRequest('/', {}, { error }))
  expect([page.status, page.error]).toEqual([404, undefined])
  expect(page.html).toContain('Такой страницы нет')
})

test('2.16: maintenance shows the message alone and asks for nothing', async () => {
  const page = await html(
    pageRequest(
      '/',
      { refused: { httpStatus: 503, code: 'MAINTENANCE', message: 'Вернёмся в <полдень>' } },
      { error: new Error('must not be asked') },
    ),
  )
  expect(page.status).toBe(503)
  expect(page.html).toContain('Вернёмся в &lt;полдень&gt;')
  expect(page.html).toContain('<svg')
  for (const part of ['<header', '<footer', '<nav', '<a ', '<button']) expect(page.html).not.toContain(part)
})

test('the foot of a page names the release, in one form for both languages', async () => {
  for (const locale of ['ru', 'en'] as const) {
    expect((await html(pageRequest('/', { locale }))).html).toContain('>Ringpost 1.2.3<')
  }
})

test('data cannot break out of the page', async () => {
  const hostile = '</script><script>alert(1)</script>'
  const session = { status: 'authenticated', token: hostile, user: null } as const
  const page = await html(pageRequest('/nope', { session }))
  expect(page.html).not.toContain(hostile)
  expect(dataOf(page.html).session).toEqual(session)
})

test('the payload is the loader data by route', async () => {
  const reply = await renderer.payload(pageRequest('/'))
  expect(reply).toMatchObject({ kind: 'payload', status: 200, payload: { buildId: renderer.buildId } })
  if (reply.kind !== 'payload') throw new Error('not a payload')
  expect(Object.keys(reply.payload.loaderData)).toEqual(['index___ru'])
  expect(await renderer.payload(pageRequest('/nope'))).toMatchObject({ kind: 'payload', status: 404 })
})

test('every screen has its file in the build', () => {
  for (const route of [...ROUTES, NOT_FOUND_ROUTE]) {
    expect(assetsFor(manifest, { file: screenFile(route), locale: 'ru' }).styles).not.toEqual([])
  }
})

test('the scripts of the home page stay small, and fonts are two', async () => {
  const { early, entry, modules, fonts } = assetsFor(manifest, { file: HOME_FILE, locale: 'ru' })
  const sizes = await Promise.all(
    [early, entry, ...modules].map(
      async (path) => gzipSync(await readFile(join(dist, 'client', path)), { level: 9 }).length,
    ),
  )
  const totalKb = sizes.reduce((sum, size) => sum + size, 0) / 1024
  expect(totalKb).toBeLessThan(HOME_SCRIPT_LIMIT_KB)
  expect(fonts).toHaveLength(2)
})

// N-2: scripts fetched after the page may come too late, because the network may be gone.
test('what says that the network is gone comes with the first scripts, and so does the worker', async () => {
  const { modules } = assetsFor(manifest, { file: HOME_FILE, locale: 'ru' })
  const scripts = await Promise.all(modules.map((path) => readFile(join(dist, 'client', path), 'utf8')))
  expect(scripts.join('')).toContain('/sw.js?build=')
  const later = Object.entries(manifest).flatMap(([key, { isDynamicEntry }]) => (isDynamicEntry ? [key] : []))
  expect(later).not.toEqual([])
  for (const part of ['alerts/alert-list', 'live/live-line', 'navigation/offline-page']) {
    expect(later.filter((key) => key.includes(part))).toEqual([])
  }
  const page = await html(pageRequest('/'))
  expect(page.html).toMatch(/<section aria-label="Сообщения" aria-live="polite" class="alerts">/)
  expect(page.html).toMatch(/<div role="status" class="sticky/)
})
