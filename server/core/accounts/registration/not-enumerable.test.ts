import * as argon2 from '@node-rs/argon2'
import pg from 'pg'
import { afterAll, expect, type MockInstance, test, vi } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { form, GOOD_PASSWORD, mailsTo } from '#test/builders/registration.ts'
import { send } from '#test/harness/calls.ts'
import { type CookieJar, openCookieJar } from '#test/harness/cookie-jar.ts'
import { startTestApp } from '#test/harness/harness.ts'

// The mock counts real hashes. Counts of hashes and SQL statements compare reliably, unlike milliseconds. All modules
// are reset because other test files of the worker have loaded the real hash module.
vi.hoisted(() => vi.resetModules())
afterAll(() => {
  vi.doUnmock('@node-rs/argon2')
  vi.resetModules()
})
vi.mock(import('@node-rs/argon2'), async (importOriginal) => {
  const real = await importOriginal()
  return { ...real, hash: vi.fn(real.hash), verify: vi.fn(real.verify) }
})

type Work = { status: number; body: unknown; hashes: number; statements: string[] }

async function workOf(browser: CookieJar, key: string, input: object): Promise<Work> {
  vi.mocked(argon2.hash).mockClear()
  vi.mocked(argon2.verify).mockClear()
  // The annotation is needed because pg's `query` has a dozen overloads; the spy only records its calls.
  const query: MockInstance = vi.spyOn(pg.Client.prototype, 'query')
  const { response, body } = await browser.send(key, input, { locale: 'en' })
  const statements = query.mock.calls.map(([first]) => textOf(first))
  query.mockRestore()
  const hashes = vi.mocked(argon2.hash).mock.calls.length + vi.mocked(argon2.verify).mock.calls.length
  return { status: response.status, body, hashes, statements }
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query
  const named = typeof query === 'object' && query !== null && 'text' in query ? query.text : ''
  return String(named)
}

const KNOWN = 'known@example.test'
const UNKNOWN = 'nobody@example.test'

test('registering, confirming and signing in answer the same, after the same work, for known and unknown addresses', async () => {
  await using t = await startTestApp()
  await t.makeUser({ email: KNOWN })
  const walk = async (email: string): Promise<Work[]> => {
    const browser = openCookieJar(t)
    const work = async (key: string, input: object) => workOf(browser, key, { email, ...input })
    const steps = [await work('POST /api/register', form(email))]
    steps.push(await work('POST /api/resend-verify-email', {}))
    t.clock.advance(MINUTE)
    steps.push(await work('POST /api/resend-verify-email', {}))
    steps.push(await work('POST /api/login', { password: GOOD_PASSWORD }))
    steps.push(await work('POST /api/login', { password: 'not this password' }))
    for (let turn = 0; turn < 6; turn += 1) {
      steps.push(await work('POST /api/verify-email', { code: '000000' }))
    }
    steps.push(await work('POST /api/login', { password: GOOD_PASSWORD }))
    t.clock.advance(11 * MINUTE)
    steps.push(await work('POST /api/verify-email', { code: '000000' }))
    steps.push(await work('POST /api/login', { password: GOOD_PASSWORD }))
    return steps
  }
  const unknown = await walk(UNKNOWN)
  const known = await walk(KNOWN)
  expect(known).toEqual(unknown)
  const answers = unknown.map(({ status, body }) => `${status} ${(body as { code?: string }).code ?? 'done'}`)
  expect(answers).toEqual([
    '200 done',
    '200 done',
    '200 done',
    '422 EMAIL_NOT_VERIFIED',
    '422 WRONG_CREDENTIALS',
    ...Array.from({ length: 5 }, () => '422 WRONG_CODE'),
    '422 CODE_EXPIRED',
    '422 EMAIL_NOT_VERIFIED',
    '422 CODE_EXPIRED',
    '422 EMAIL_NOT_VERIFIED',
  ])
  expect(unknown.map(({ hashes }) => hashes)).toEqual([1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 2, 0, 2])
  expect(unknown[0]?.statements).toEqual(expect.arrayContaining(['BEGIN', 'COMMIT']))
  const kinds = async (address: string) => (await mailsTo(t, address)).map(({ kind }) => kind)
  expect(new Set(await kinds(KNOWN))).toEqual(new Set(['already-registered']))
  expect(new Set(await kinds(UNKNOWN))).toEqual(new Set(['verify-email']))
  expect((await kinds(KNOWN)).length).toBe((await kinds(UNKNOWN)).length)
})

test('an address that nobody registered answers a code, and a wish for one, as one that has an account', async () => {
  await using t = await startTestApp()
  await t.makeUser({ email: KNOWN })
  for (const key of ['POST /api/verify-email', 'POST /api/resend-verify-email']) {
    const [known, unknown] = [
      await workOf(openCookieJar(t), key, { email: KNOWN, code: '123456' }),
      await workOf(openCookieJar(t), key, { email: UNKNOWN, code: '123456' }),
    ]
    expect(known).toEqual(unknown)
  }
  expect(await mailsTo(t, KNOWN)).toEqual([])
})

test('a forgotten password is answered the same, after the same work but for the mail itself', async () => {
  await using t = await startTestApp()
  await t.makeUser({ email: KNOWN })
  await workOf(openCookieJar(t), 'POST /api/forgot-password', { email: 'warm@example.test' })
  const known = await workOf(openCookieJar(t), 'POST /api/forgot-password', { email: KNOWN })
  const unknown = await workOf(openCookieJar(t), 'POST /api/forgot-password', { email: UNKNOWN })
  const isMail = (text: string) => text.includes('graphile_worker.add_job')
  expect(known.statements.filter(isMail)).toHaveLength(1)
  expect(unknown.statements.filter(isMail)).toHaveLength(0)
  expect({ ...known, statements: known.statements.filter((text) => !isMail(text)) }).toEqual(unknown)
  expect([known.status, known.body, known.hashes]).toEqual([200, { status: true }, 1])
  expect(await mailsTo(t, UNKNOWN)).toEqual([])
})

test('registering somebody’s address does not help to guess his password', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ email: KNOWN })
  await send(t, 'POST /api/register', form(KNOWN))
  const statusOf = async (password: string) =>
    (await send(t, 'POST /api/login', { email: KNOWN, password })).response.status
  for (let turn = 0; turn < 4; turn += 1) expect(await statusOf(`guess number ${turn}`)).toBe(422)
  expect(await statusOf(GOOD_PASSWORD)).toBe(422)
  expect(await statusOf('one more guess')).toBe(429)
  t.clock.advance(MINUTE)
  expect(await statusOf(user.password)).toBe(200)
})
