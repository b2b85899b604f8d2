import { expect, test } from 'vitest'
import { count } from '#test/builders/activation-rows.ts'
import { sentMails } from '#test/builders/mails.ts'
import { turnOnTwoFactor } from '#test/builders/second-factor.ts'
import { linkChat } from '#test/builders/telegram.ts'
import { openTelegramHouse } from '#test/fakes/telegram/telegram-house.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'

const LOGIN = 'POST /api/login'

test('a second factor is taken away, and every session ended, by command', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ email: 'anna@example.test' })
  const apiKey = await t.makeApiKey(user)
  await turnOnTwoFactor(t, user)
  const login = { email: user.email, password: user.password }
  expect((await refused(t, LOGIN, login)).body.code).toBe('NEED_2FA_CODE')

  expect((await typed(t.database, 'user:two-factor-off', 'ANNA@example.test', ...WHY)).out).toBe(
    'ANNA@example.test signs in without a second factor now.\n',
  )
  await call(t, LOGIN, login)
  expect((await typed(t.database, 'user:two-factor-off', user.email, ...WHY)).out).toContain('no two-factor sign-in')
  const told = (await sentMails(t)).filter(({ mail }) => mail.kind === 'two-factor-off')
  expect(told).toEqual([{ to: user.email, locale: 'ru', mail: { kind: 'two-factor-off' } }])
  expect((await typed(t.database, 'user:sign-out', user.email, ...WHY)).out).toBe(
    'anna@example.test is signed out everywhere: 2 sessions ended.\n',
  )
  expect((await refused(t, 'GET /api/user', {}, user)).status).toBe(401)
  await call(t, 'GET /api/user', {}, { token: apiKey })
  for (const command of ['user:two-factor-off', 'user:sign-out']) {
    expect((await typed(t.database, command, 'nobody@example.test', ...WHY)).code).toBe(1)
  }
  expect((await auditOf(t.ctx.db)).map(({ command, subject, actor }) => [command, subject, actor])).toEqual([
    ['user:two-factor-off', `user:${user.id}`, 'anna'],
    ['user:sign-out', `user:${user.id}`, 'anna'],
  ])
})

test('passkeys are taken away by command, and the owner is told of each', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  for (const name of ['Phone', 'Laptop']) {
    await t.ctx.db.query({
      text: `INSERT INTO passkeys (user_id, credential_id, public_key, handle, counter, transports, rp_id, name, created_at)
        VALUES ($1, $2, '\\x00', '\\x00', 0, '{}', 'ringpost.example', $3, now())`,
      values: [user.id, Buffer.from(name), name],
    })
  }
  const { out } = await typed(t.database, 'user:passkeys-off', user.email, ...WHY)
  expect(out).toBe(`${user.email} has no passkeys any more.\n`)
  expect((await call(t, 'GET /api/v1/user/passkeys', {}, user)).passkeys).toEqual([])
  expect((await typed(t.database, 'user:passkeys-off', user.email, ...WHY)).out).toContain('has no passkeys.')
  const told = (await sentMails(t)).map(({ to, mail }) => [to, mail])
  expect(told).toEqual(['Phone', 'Laptop'].map((name) => [user.email, { kind: 'passkey-removed', name }]))
})

test('a Telegram chat, and a link that waits, are taken away by command, and the owner is told', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const user = await t.makeUser()
  await linkChat(t, house, { user, person: 666 })
  await call(t, 'POST /api/v1/telegram/link', { codes: true }, user)
  const { out } = await typed(t.database, 'user:telegram-off', user.email, ...WHY)
  expect(out).toBe(`${user.email} has no Telegram chat any more.\n`)
  expect((await call(t, 'GET /api/v1/telegram', {}, user)).chat).toBeNull()
  expect(await count(t.ctx, 'telegram_links')).toBe(0)
  expect((await sentMails(t)).at(-1)).toMatchObject({ to: user.email, mail: { title: 'Telegram отключён' } })
  expect((await typed(t.database, 'user:telegram-off', user.email, ...WHY)).out).toContain('has no Telegram chat.')
  expect((await auditOf(t.ctx.db)).map(({ command, subject }) => [command, subject])).toEqual([
    ['user:telegram-off', `user:${user.id}`],
  ])
})
