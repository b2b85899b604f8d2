import { readFile, stat } from 'node:fs/promises'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { buyOne, count, expectBooksRight, pushSms } from '#test/builders/activation-rows.ts'
import { sentMails } from '#test/builders/mails.ts'
import { refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'

test('O-12: all about a user goes into a new file that its owner alone reads; nothing is overwritten', async () => {
  await using t = await startTestApp()
  await using folder = await temporaryFolder()
  const user = await t.makeUser({ email: 'anna@example.test' })
  const file = folder.path('data.zip')
  const write = () => typed(t.database, 'user:export', user.email, '--file', file, ...WHY)
  expect((await write()).out).toContain('anna@example.test')
  const files = unzipSync(await readFile(file))
  expect(JSON.parse(Buffer.from(files['json/users.json'] ?? []).toString())).toMatchObject([{ email: user.email }])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await write()).toMatchObject({ code: 1, err: expect.stringContaining('EEXIST') })
  expect(await auditOf(t.ctx.db)).toMatchObject([{ command: 'user:export', subject: `user:${user.id}` }])
})

test('O-12: an account is erased at once by command, by the same rules, and no trace of the address is left', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ email: 'anna@example.test', balance: '13.00' })
  const supplier = await t.addFake()
  const { id, phone } = await buyOne(t, user)
  await pushSms(t, supplier, { phone })
  await typed(t.database, 'user:key', user.email, ...WHY)
  const erase = (...more: string[]) => typed(t.database, 'user:erase', user.email, ...more, ...WHY)
  expect((await erase('--now')).err).toContain('still has activations')
  await t.ctx.db.query({
    text: `UPDATE activations SET state = 'finished', ended_at = $2 WHERE id = $1`,
    values: [id, t.clock.now()],
  })
  await typed(t.database, 'user:credit', user.email, '5', '--key', 'gift', ...WHY)
  expect((await erase('--now', '--give-up', '4.99')).err).toContain('still has balance')
  expect((await erase('--now', '--give-up', '5', '--dry-run')).out).toContain('It would say')
  expect(await count(t.ctx, 'account_deletions')).toBe(0)

  expect((await erase()).out).toContain('has been told')
  expect((await erase('--cancel')).out).toBe('anna@example.test stays.\n')
  expect((await erase('--now', '--give-up', '5')).out).toContain(`user ${user.id} is nobody`)
  expect((await refused(t, 'GET /api/user', {}, user)).status).toBe(401)
  expect((await erase('--now')).code).toBe(1)
  expect(await count(t.ctx, 'messages WHERE body IS NOT NULL')).toBe(0)
  expect((await sentMails(t)).map(({ mail }) => mail.kind)).toEqual(['deletion-begun', 'account-deleted'])
  const told = JSON.stringify(await auditOf(t.ctx.db))
  expect(told).toContain('user:erase')
  expect(told).not.toContain('anna@example.test')
  await expectBooksRight(t.ctx)
})
