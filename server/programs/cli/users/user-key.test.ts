import { expect, test } from 'vitest'
import { followChanges } from '#server/programs/boot/follow-changes.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'

test('a new key works, the one before does not, and neither is written down', async () => {
  await using t = await startTestApp()
  const { email } = await t.makeUser({ balance: '12.50' })
  const give = async () => (await typed(t.database, 'user:key', email, ...WHY)).out.trim()
  const balance = async (key: string) =>
    (await t.fetch(`/stubs/handler_api.php?action=getBalance`, { headers: { authorization: `Bearer ${key}` } })).text()
  const first = await give()
  expect(first).toMatch(/^[A-Za-z0-9]{32}$/)
  const second = await give()
  expect([await balance(first), await balance(second)]).toEqual(['BAD_KEY', 'ACCESS_BALANCE:12.50'])
  const audit = JSON.stringify(await auditOf(t.ctx.db))
  expect(audit).toContain('user:key')
  for (const key of [first, second]) expect(audit).not.toContain(key)
  expect((await typed(t.database, 'user:key', 'nobody@example.test', ...WHY)).code).toBe(1)
})

test('keys of anybody are listed and revoked by command; those that a person made stay when staff give one', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ email: 'anna@example.test' })
  const input = { name: 'Shop\u00a0one', scopes: ['read' as const], addresses: ['127.0.0.0/8'], day_limit: '50' }
  const made = await call(t, 'POST /api/v1/keys', input, user)
  await typed(t.database, 'user:key', user.email, ...WHY)
  const list = (await typed(t.database, 'key:list', '--user', user.email)).out.trim().split('\n')
  expect(list).toEqual([
    expect.stringContaining('given by staff: read buy money, from anywhere, no limit, never used'),
    expect.stringContaining('(user 1): read, from 127.0.0.0/8, 50.00 rub a day, never used'),
  ])
  await call(t, 'GET /api/user', {}, { token: made.secret })
  const follow = await followChanges(t.ctx)
  const revoke = (id: string) => typed(t.database, 'key:revoke', id, ...WHY)
  expect((await revoke(String(made.data.id))).out).toContain('is revoked.')
  await follow()
  expect((await refused(t, 'GET /api/user', {}, { token: made.secret })).status).toBe(401)
  expect((await revoke(String(made.data.id))).out).toContain('was revoked before.')
  expect([(await revoke('999')).code, (await revoke('x')).code]).toEqual([1, 2])
  expect((await auditOf(t.ctx.db)).map(({ command, subject }) => [command, subject])).toEqual([
    ['user:key', `user:${user.id}`],
    ['key:revoke', `user:${user.id}`],
  ])
})
