import { expect, test } from 'vitest'
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
