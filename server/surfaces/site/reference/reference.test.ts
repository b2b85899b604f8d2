import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import english from '#contract/words/calls-en.json' with { type: 'json' }
import russian from '#contract/words/calls-ru.json' with { type: 'json' }
import { describeCalls } from '#server/house/http/openapi.ts'
import { calls } from '#server/programs/app.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { typeOfInput, typeOfReply } from './type-words.ts'

test('every call of a key stands there with an input that the call accepts, and its group has a name in both languages', async () => {
  await using t = await startTestApp()
  const { data } = await call(t, 'GET /api/v1/reference', {})
  const shown = data.flatMap((group) => group.calls)
  for (const { method, path, example } of shown) {
    const described = calls.find(({ key }) => key === `${method} ${path}`)
    expect([path, described?.input.safeParse(example).error]).toEqual([path, undefined])
  }
  const byKey = calls.filter(
    (one) => one.scope !== undefined && one.scope !== 'session' && one.contentType === undefined,
  )
  expect(
    shown
      .filter(({ scope }) => scope !== null)
      .map(({ method, path }) => `${method} ${path}`)
      .sort(),
  ).toEqual(byKey.map(({ key }) => key).sort())
  for (const language of ['ru', 'en']) {
    const file = new URL(`../../../../web/locales/${language}/lazy/site/reference.json`, import.meta.url)
    const texts = JSON.parse(await readFile(file, 'utf8')) as { groups: Record<string, string> }
    expect(Object.keys(texts.groups).sort()).toEqual(data.map(({ tag }) => tag).sort())
  }
})

test('every operation says in English what it does, and those of keys in Russian too; no summary belongs to another', async () => {
  await using t = await startTestApp()
  const summaries = Object.entries(describeCalls(calls).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => [`${method.toUpperCase()} ${path}`, summary]),
  )
  expect(summaries.filter(([, summary]) => summary === '')).toEqual([])
  expect(Object.fromEntries(summaries)).toEqual(english)
  for (const [locale, words] of [['en', english] as const, ['ru', russian] as const]) {
    const { data } = await call(t, 'GET /api/v1/reference', {}, { locale })
    const shown = data.flatMap((group) => group.calls).map((one) => [`${one.method} ${one.path}`, one.summary])
    expect(words).toMatchObject(Object.fromEntries(shown))
    if (locale === 'ru') expect(shown.map(([key]) => key).sort()).toEqual(Object.keys(words).sort())
  }
})

test('a purchase is told with its scope, its fields and what it answers', async () => {
  await using t = await startTestApp()
  const { data } = await call(t, 'GET /api/v1/reference', {})
  const buy = data.flatMap((group) => group.calls).find(({ id }) => id === 'activations_create')
  expect(buy).toMatchObject({ method: 'POST', scope: 'buy', once: true, status: 201 })
  expect(buy?.fields[0]).toEqual({ name: 'service_id', in: 'body', required: true, type: 'string 1…40' })
  expect(buy?.reply).toContain('    phone: string | null\n')
  expect(buy?.reply).toContain('      received_at: date-time\n')
})

test('the page that is closed closes its calls', async () => {
  await using t = await startTestApp({ config: { closedPages: ['doc'] } })
  expect(await refused(t, 'GET /api/v1/reference', {})).toMatchObject({ status: 404 })
})

test.each([
  [{ type: 'array', items: { type: 'string', maxLength: 40 }, maxItems: 9 }, '(string ≤ 40)[] ≤ 9'],
  [{ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, 'integer ≥ 1'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, '{ [key]: number }'],
  [{ anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] }, '"a" | "b" | null'],
  [{}, 'unknown'],
] as const)('the type %j is written %s', (schema, written) => {
  expect(typeOfInput(structuredClone(schema) as Parameters<typeof typeOfInput>[0])).toBe(written)
})

test('a schema that holds itself is written as deep as it can be read', () => {
  const Tree = { type: 'object', properties: { leaf: { $ref: '#/components/schemas/Tree' } } }
  const written = typeOfReply({ $ref: '#/components/schemas/Tree' }, { Tree })
  expect(written.split('\n').length).toBeLessThan(20)
  expect(written).toContain('leaf?: Tree')
})
