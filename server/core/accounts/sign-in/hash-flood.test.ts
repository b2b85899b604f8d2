import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, expect, test, vi } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { passwordHashingQueue } from '#server/core/accounts/users/password-hashing-queue.ts'
import { FairQueue } from '#server/house/limits/fair-queue.ts'
import { sentMails } from '#test/builders/mails.ts'
import { type CallOptions, call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

// The test decides when each hash ends, because real hashes would take a minute. All modules are reset for the mock.
vi.hoisted(() => vi.resetModules())
afterAll(() => {
  run.mockRestore()
  vi.doUnmock('@node-rs/argon2')
  vi.resetModules()
})
vi.mock(import('@node-rs/argon2'), async (importOriginal) => {
  const inTurn = async (password: unknown) => {
    hashes.begun.push(String(password))
    if (hashes.hold) await new Promise<void>((resolve) => hashes.held.push(resolve))
    return `hash of ${password}`
  }
  return {
    ...(await importOriginal()),
    hash: inTurn,
    verify: async (stored, password) => (await inTurn(password)) === stored,
  }
})
const hashes = vi.hoisted(() => ({ hold: false, begun: [] as string[], held: [] as (() => void)[] }))

const run = vi.spyOn(FairQueue.prototype, 'run')

const LOGIN = 'POST /api/login'
const GUESS = 'a guess of somebody else'
const NETWORKS = 210

const from = (address: string, headers = {}): CallOptions => ({ headers: { 'x-forwarded-for': address, ...headers } })
const login = ({ email, password }: { email: string; password: string }) => ({ email, password })

async function solve(t: TestApp): Promise<string> {
  const challenge = (await call(t, 'GET /api/v1/captcha', {})) as unknown as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

async function deviceOf(t: TestApp, user: { email: string; password: string }): Promise<string> {
  const set = await t.fetch('/api/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login(user)),
  })
  const device = /(?:^|, )(device=[^;]+)/.exec(set.headers.get('set-cookie') ?? '')?.[1] ?? ''
  expect(device).not.toBe('')
  return device
}

async function flood(t: TestApp) {
  Object.assign(hashes, { hold: true, begun: [], held: [] })
  const guesses = Array.from({ length: NETWORKS }, async (_, number) => {
    const headers = { 'x-forwarded-for': `203.0.${number}.1`, 'content-type': 'application/json' }
    const body = JSON.stringify({ email: `nobody-${number}@example.test`, password: GUESS })
    return (await t.fetch('/api/login', { method: 'POST', headers, body })).status
  })
  await expect.poll(() => passwordHashingQueue.isHalfFull(t.ctx)).toBe(true)
  return {
    async [Symbol.asyncDispose]() {
      hashes.hold = false
      for (const finish of hashes.held.splice(0)) finish()
      await Promise.all(guesses)
    },
  }
}

async function turnsBefore(password: string, key: string, ask: () => Promise<unknown>): Promise<number> {
  const earlier = run.mock.calls.length
  const answer = ask()
  await expect.poll(() => run.mock.calls.slice(earlier).map(([asker]) => asker.key), { interval: 1 }).toContain(key)
  const before = hashes.begun.length
  let isAnswered = false
  const answered = answer.finally(() => {
    isAnswered = true
  })
  while (!isAnswered && !hashes.begun.includes(password, before)) {
    const count = hashes.begun.length
    for (const finish of hashes.held.splice(0)) finish()
    await expect.poll(() => isAnswered || hashes.begun.length > count, { interval: 1 }).toBe(true)
  }
  const turns = hashes.begun.indexOf(password, before) - before
  while (!isAnswered) {
    for (const finish of hashes.held.splice(0)) finish()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await answered
  return turns
}

test('S-6: sign-ins from 200 networks at once keep nobody from signing in or registering', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  const [stranger, owner, member] = [await t.makeUser(), await t.makeUser(), await t.makeUser()]
  const device = await deviceOf(t, owner)
  await using _flood = await flood(t)

  const cookie = { cookie: device }
  expect(
    await turnsBefore(owner.password, `account ${owner.id}`, () =>
      call(t, LOGIN, login(owner), from('198.51.100.1', cookie)),
    ),
  ).toBeLessThan(5)
  const confirm = () => call(t, 'POST /api/v1/user/confirm-password', { password: member.password }, member)
  expect(await turnsBefore(member.password, `account ${member.id}`, confirm)).toBeLessThan(5)
  const password = 'correct horse battery'
  const form = { email: 'new@example.test', password, password_confirmation: password, agree: true }
  const register = () => call(t, 'POST /api/register', form, from('198.51.100.2'))
  expect(await turnsBefore(password, '198.51.100.2', register)).toBeLessThan(NETWORKS + 20)
  const signIn = () => call(t, LOGIN, login(stranger), from('198.51.100.3'))
  expect(await turnsBefore(stranger.password, '198.51.100.3', signIn)).toBeLessThan(5)
})

test('S-6: while strangers crowd, a sign-in from a browser that nobody knows answers a riddle first', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'], captchaEnabled: '2' } })
  const user = await t.makeUser()
  await call(t, LOGIN, login(user))
  {
    await using _flood = await flood(t)
    const place = from('198.51.100.1')
    expect((await refused(t, LOGIN, login(user), place)).body.code).toBe('CAPTCHA_FAILED')
    const captcha = await solve(t)
    const late = refused(t, LOGIN, { ...login(user), captcha }, place)
    await expect.poll(() => run.mock.lastCall?.[0].key).toBe('198.51.100.1')
    t.clock.advance(16 * SECOND)
    for (const finish of hashes.held.splice(0)) finish()
    await expect.poll(() => passwordHashingQueue.isHalfFull(t.ctx)).toBe(false)
    expect((await late).status).toBe(503)
  }
  await call(t, LOGIN, login(user), from('198.51.100.4'))
})

test('S-6: while strangers crowd, a link for a forgotten password is asked for with a riddle, as a sign-in is', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'], captchaEnabled: '2' } })
  const [stranger, owner] = [await t.makeUser(), await t.makeUser()]
  const device = await deviceOf(t, owner)
  const forget = (email: string, input = {}, headers = {}) =>
    call(t, 'POST /api/forgot-password', { email, ...input }, from('198.51.100.1', headers))
  const mailed = async () => (await sentMails(t)).map(({ to }) => to)
  const asked: Promise<unknown>[] = []
  {
    await using _flood = await flood(t)
    for (const email of [stranger.email, 'nobody@example.test']) {
      const input = { email, captcha: 'not solved' }
      const place = from('198.51.100.1')
      expect((await refused(t, 'POST /api/forgot-password', input, place)).body.code).toBe('CAPTCHA_FAILED')
    }
    asked.push(forget(stranger.email, { captcha: await solve(t) }), forget(owner.email, {}, { cookie: device }))
    await expect
      .poll(() =>
        run.mock.calls
          .slice(-2)
          .map(([asker]) => asker.key)
          .sort(),
      )
      .toEqual(['198.51.100.1', `account ${owner.id}`])
  }
  await Promise.all(asked)
  expect((await mailed()).sort()).toEqual([stranger.email, owner.email].sort())
})
