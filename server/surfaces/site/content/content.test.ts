import { expect, test } from 'vitest'
import type { Context } from '#server/house/context.ts'
import { Memory } from '#server/house/memory.ts'
import { count } from '#test/builders/activation-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { storeContent } from './store-content.ts'

const SEARCH = 'GET /api/v1/content/search'

// Checklist 1.14, 1.15, 1.16: articles, answers and documents come in the requested language.
test('texts are read in both languages', async () => {
  await using t = await startTestApp({ environment: { CONTACT_EMAIL: 'help@ringpost.test' } })
  const ru = await call(t, 'GET /api/v1/content/articles', { per_page: 3 }, { locale: 'ru' })
  const en = await call(t, 'GET /api/v1/content/articles', { per_page: 3 }, { locale: 'en' })
  expect(ru.data.map(({ slug }) => slug)).toEqual(en.data.map(({ slug }) => slug))
  expect(ru.data).toHaveLength(3)
  expect(ru.meta.last_page).toBe(Math.ceil(ru.meta.total / 3))
  expect(ru.categories.map(({ count: articles }) => articles).reduce((sum, one) => sum + one)).toBe(ru.meta.total)
  const guides = await call(t, 'GET /api/v1/content/articles', { category: 'guides' }, { locale: 'en' })
  expect(guides.category).toEqual({ slug: 'guides', title: 'Guides' })
  expect(new Set(guides.data.map(({ category }) => category.slug))).toEqual(new Set(['guides']))

  const { data: all } = await call(t, 'GET /api/v1/content/articles', { per_page: 100 }, { locale: 'en' })
  const { title = '' } = all.at(-1) ?? {}
  const { data: about } = await call(t, 'GET /api/v1/content/articles', { about: title }, { locale: 'en' })
  expect(about[0]?.title).toBe(title)
  expect(about[1]?.slug).toBe(all[0]?.slug)

  const [first] = guides.data
  const article = { category: 'guides', slug: first?.slug ?? '' }
  const { data, related } = await call(t, 'GET /api/v1/content/articles/{category}/{slug}', article, { locale: 'en' })
  expect(data).toMatchObject({ title: first?.title, author: 'Ringpost', html: expect.stringContaining('<h2 id=') })
  expect(related.map(({ slug }) => slug)).not.toContain(first?.slug)

  const { categories } = await call(t, 'GET /api/v1/content/answers', {}, { locale: 'ru' })
  expect(categories.map(({ slug }) => slug)).toEqual(['start', 'numbers', 'codes', 'money', 'rent', 'account', 'api'])
  const refund = { category: 'money', slug: 'refund' }
  const answer = await call(t, 'GET /api/v1/content/answers/{category}/{slug}', refund, { locale: 'ru' })
  expect(answer.data.html).toContain('help@ringpost.test')
  expect(answer.data.html).toContain('через 2 мин')
  const terms = await call(t, 'GET /api/v1/content/documents/{name}', { name: 'terms-of-use' }, { locale: 'ru' })
  expect(terms.data.title).toBe('Условия использования')
})

test('what does not exist is not found', async () => {
  await using t = await startTestApp()
  const codeOf = async (key: Parameters<typeof refused>[1], input: object) => (await refused(t, key, input)).body.code
  expect(await codeOf('GET /api/v1/content/articles', { category: 'none' })).toBe('NOT_FOUND')
  expect(await codeOf('GET /api/v1/content/articles', { category: 'constructor' })).toBe('NOT_FOUND')
  const article = 'GET /api/v1/content/articles/{category}/{slug}'
  expect(await codeOf(article, { category: 'product', slug: 'rent-or-one-code' })).toBe('NOT_FOUND')
  expect(await codeOf(article, { category: 'A b', slug: 'x' })).toBe('INVALID_INPUT')
  expect(await codeOf('GET /api/v1/content/answers/{category}/{slug}', { category: 'money', slug: 'none' })).toBe(
    'NOT_FOUND',
  )
  expect(await codeOf('GET /api/v1/content/documents/{name}', { name: 'passwords' })).toBe('INVALID_INPUT')
})

test('the search finds words in their forms, in the language asked for, the title first', async () => {
  await using t = await startTestApp()
  await storeContent(t.ctx)
  const found = async (search: string, locale: 'ru' | 'en', more = {}) =>
    (await call(t, SEARCH, { search, ...more }, { locale })).data
  const rent = await found('аренду', 'ru')
  expect(rent[0]?.title).toMatch(/аренд/i)
  expect(rent[0]?.excerpt.replaceAll('\u0001', '[').replaceAll('\u0002', ']')).toMatch(/\[аренд\p{L}*\]/iu)
  expect((await found('refunds', 'en')).map(({ path }) => path)).toContain('/faq/money/refund')
  expect((await found('handler_api', 'en', { kind: 'article' })).every(({ kind }) => kind === 'article')).toBe(true)
  // The searches are stop words, or punctuation of queries or HTML.
  for (const nothing of ['and', '"', '-', '<script>', "'; --", '((((', 'ы'.repeat(100)]) {
    expect([nothing, await found(nothing, 'en')]).toEqual([nothing, []])
  }
  const page = await call(t, SEARCH, { search: 'number', per_page: 5, page: 2 }, { locale: 'en' })
  expect(page.data).toHaveLength(5)
  expect(page.meta.last_page).toBe(Math.ceil(page.meta.total / 5))
  expect((await refused(t, SEARCH, {})).body.code).toBe('INVALID_INPUT')
})

test('E-4: texts are searched as the panel is: nicknames, the other alphabet and layout, a mistake or two', async () => {
  await using t = await startTestApp()
  await storeContent(t.ctx)
  const search = async (words: string, locale: 'ru' | 'en' = 'ru') =>
    call(t, SEARCH, { search: words, per_page: 100 }, { locale })
  const paths = async (words: string, locale: 'ru' | 'en' = 'ru') =>
    (await search(words, locale)).data.map(({ path }) => path)
  // No text is about one service, so the search finds the page of the service and the texts about all services.
  for (const words of ['телеграм', 'телега', 'ntktuhfv', 'telegarm', 'тг']) {
    const { data, named } = await search(words)
    expect([words, named.services[0]?.id]).toEqual([words, 'tg'])
    expect(data.map(({ path }) => path)).toContain('/faq/numbers/which-services')
  }
  const { data, named } = await search('вотсап код не пришёл')
  expect(named.services[0]?.id).toBe('wa')
  expect(data.map(({ path }) => path)).toEqual(await paths('код не пришёл'))
  expect(data.length).toBeGreaterThan(0)
  expect((await search('англия')).named.countries.map(({ id }) => id)).toEqual([16])
  const rent = await paths('аренда')
  expect(await paths('fhtylf')).toEqual(expect.arrayContaining(rent))
  expect(await paths('refnud', 'en')).toContain('/faq/money/refund')
  expect(await search('щщщщщ')).toMatchObject({ data: [], named: { services: [], countries: [] } })
  expect(await paths(Array.from({ length: 25 }, () => 'щщ').join(' '))).toEqual([])
})

// N-10: these searches must find the answers that people look for first.
test.each([
  ...([
    ['удалить аккаунт', '/faq/account/delete-account', 'ru'],
    ['апи', '/faq/api/api-key', 'ru'],
  ] as const),
  ...([
    ['телеграм уведомления', '/faq/account/telegram-notices', 'ru'],
    ['ваучер', '/faq/money/voucher', 'ru'],
  ] as const),
  ...([
    ['ключ доступа', '/faq/account/passkeys', 'ru'],
    ['криптовалюта', '/faq/money/coin', 'ru'],
  ] as const),
  ...([
    ['delete account', '/faq/account/delete-account', 'en'],
    ['passkey', '/faq/account/passkeys', 'en'],
  ] as const),
  ...([
    ['voucher', '/faq/money/voucher', 'en'],
    ['cryptocurrency', '/faq/money/coin', 'en'],
  ] as const),
])('N-10: "%s" finds %s', async (search, path, locale) => {
  await using t = await startTestApp()
  await storeContent(t.ctx)
  const { data } = await call(t, SEARCH, { search, kind: 'answer' }, { locale })
  expect(data.slice(0, 3).map((found) => found.path)).toContain(path)
})

test('a second start leaves the searchable texts alone, and takes up what has changed', async () => {
  await using t = await startTestApp()
  await storeContent(t.ctx)
  const stored = await count(t.ctx, 'content_texts')
  expect(stored).toBeGreaterThan(60)
  await t.ctx.db.query({ text: `UPDATE content_texts SET title = 'kept' WHERE path = '/faq/money/refund'` })
  await storeContent(t.ctx)
  expect(await count(t.ctx, `content_texts WHERE title = 'kept'`)).toBe(2)
  await t.ctx.db.query({
    text: `INSERT INTO content_texts SELECT locale, '/faq/gone', kind, title, body, words FROM content_texts LIMIT 1`,
  })
  await t.ctx.db.query({ text: `UPDATE settings SET value = '"older"' WHERE key = 'content_hash'` })
  await storeContent(t.ctx)
  expect(await count(t.ctx, `content_texts WHERE title = 'kept' OR path = '/faq/gone'`)).toBe(0)
  expect(await count(t.ctx, 'content_texts')).toBe(stored)
  // A setting changes the policy's words though no file changes. The cast is needed because Object.create returns any.
  const config = { ...t.ctx.config, messageKeepDays: t.ctx.config.messageKeepDays + 1 }
  await storeContent(Object.create(t.ctx, { config: { value: config }, memory: { value: new Memory() } }) as Context)
  expect(await count(t.ctx, `document_versions WHERE document = 'privacy-policy'`)).toBe(2)
})

// Checklist 2.2, 2.11: a closed page and its data exist only for CLOSED_PAGES_USER_IDS.
test('a closed blog is closed with its articles and its search', async () => {
  await using t = await startTestApp({ environment: { CLOSED_PAGES: 'blog,service', CLOSED_PAGES_USER_IDS: '1' } })
  await storeContent(t.ctx)
  const insider = await t.makeUser()
  const outsider = await t.makeUser()
  expect(insider.id).toBe(1)
  for (const token of [undefined, outsider.token]) {
    const options = { locale: 'en' as const, ...(token !== undefined && { token }) }
    expect((await refused(t, 'GET /api/v1/content/articles', {}, options)).status).toBe(404)
    expect((await refused(t, SEARCH, { search: 'number', kind: 'article' }, options)).status).toBe(404)
    const kinds = (await call(t, SEARCH, { search: 'number', per_page: 100 }, options)).data.map(({ kind }) => kind)
    expect(new Set(kinds)).toEqual(new Set(['answer']))
    const page = { kind: 'services', slug: 'telegram' } as const
    expect((await refused(t, 'GET /api/v1/directory/{kind}/{slug}', page, options)).status).toBe(404)
  }
  const { token } = insider
  expect((await call(t, 'GET /api/v1/content/articles', {}, { token })).data.length).toBeGreaterThan(0)
  expect((await t.fetch('/blog/rss.xml')).status).toBe(404)
})
