import { expect, test } from 'vitest'
import { fillBooks, openTestPool } from '#test/books/books.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'

test('limits of an account are set, taken back to the configuration or away, each change audited', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  const limit = (...options: string[]) => typed(pool, 'user:limit', 'RUB@ringpost.test', ...options, ...WHY)
  const stored = async () => {
    const { rows } = await pool.query<{ limits: string }>({
      text: `SELECT concat_ws(' ', COALESCE(open_numbers_limit::text, '-'), COALESCE(day_spend_limit_micros::text, '-')) AS limits
        FROM accounts WHERE user_id = (SELECT id FROM users WHERE email = 'rub@ringpost.test')`,
    })
    return rows[0]?.limits
  }
  expect((await limit('--open', '5')).out).toBe(
    'RUB@ringpost.test: open numbers 5, spend within 24 hours default (was open numbers default, spend within 24 hours default).\n',
  )
  expect((await limit('--day-spend', '12.5')).out).toContain('open numbers 5, spend within 24 hours 12.50 rub (was')
  expect(await stored()).toBe('5 12500000')
  expect((await limit('--day-spend', '12.50')).out).toContain('already')
  expect((await limit('--open', 'none', '--day-spend', 'none')).code).toBe(0)
  expect(await stored()).toBe('2147483647 9223372036854775807')
  expect((await limit('--open', 'default', '--day-spend', '0')).code).toBe(0)
  expect(await stored()).toBe('- 0')
  for (const wrong of [[], ['--open', '-1'], ['--open', '1.5'], ['--open', '9999999'], ['--day-spend', '1e3']]) {
    expect((await limit(...wrong)).code).toBe(2)
  }
  expect((await typed(pool, 'user:limit', 'nobody@ringpost.test', '--open', '5', ...WHY)).code).toBe(1)
  expect(await stored()).toBe('- 0')
  expect((await auditOf(pool)).map(({ command, detail }) => [command, detail])).toHaveLength(4)
  expect((await auditOf(pool))[1]).toMatchObject({
    actor: 'anna',
    command: 'user:limit',
    subject: 'user:1',
    reason: 'because',
    detail: { after: 'open numbers 5, spend within 24 hours 12.50 rub' },
  })
})

test('a pause is lifted for one pair or for all, and does not lengthen the next one', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  await pool.query({
    text: `INSERT INTO purchase_pauses (user_id, service_code, country_id, purchases, codes, began_at, until)
      SELECT 1, service, country, 60, 0, now() - interval '1 minute', until
      FROM (VALUES ('tg', 2, now() + interval '1 hour'), ('tg', 7, now() + interval '1 hour'),
        ('wa', 2, now() + interval '1 hour'), ('ig', 2, now() - interval '1 second')) AS given (service, country, until)`,
  })
  const unpause = (...options: string[]) => typed(pool, 'user:unpause', 'rub@ringpost.test', ...options, ...WHY)
  expect((await unpause('--service', 'tg', '--country', '7')).out).toBe('rub@ringpost.test can buy again: tg/7.\n')
  expect((await unpause('--service', 'ig')).out).toBe('Nothing is paused there for rub@ringpost.test.\n')
  expect((await unpause('--service', 'nosuch')).code).toBe(1)
  expect((await unpause()).out).toMatch(/^rub@ringpost\.test can buy again: (tg\/2, wa\/2|wa\/2, tg\/2)\.\n$/)
  const { rows } = await pool.query<{ service_code: string; lifted: boolean }>({
    text: `SELECT service_code, lifted_at IS NOT NULL AS lifted FROM purchase_pauses WHERE until <= now() ORDER BY service_code`,
  })
  expect(rows.map(({ service_code, lifted }) => `${service_code} ${lifted}`)).toEqual([
    'ig false',
    'tg true',
    'tg true',
    'wa true',
  ])
  expect(await auditOf(pool)).toHaveLength(2)
})

test('a service is blocked and sold again, once each', async () => {
  await using pool = await openTestPool()
  const blockedOf = async () => {
    const { rows } = await pool.query<{ code: string }>({
      text: 'SELECT code FROM services WHERE blocked_at IS NOT NULL',
    })
    return rows.map(({ code }) => code)
  }
  const type = (command: string, code: string) => typed(pool, command, code, ...WHY)
  expect((await type('service:block', 'tg')).out).toBe('Telegram is blocked now.\n')
  expect(await blockedOf()).toEqual(['tg'])
  expect((await type('service:block', 'tg')).out).toBe('Telegram is blocked already.\n')
  expect(await type('service:block', 'nosuch')).toMatchObject({ code: 1, err: 'There is no service nosuch\n' })
  expect((await type('service:unblock', 'tg')).out).toBe('Telegram is not blocked now.\n')
  expect(await blockedOf()).toEqual([])
  expect((await auditOf(pool)).map(({ command, subject }) => `${command} ${subject}`)).toEqual([
    'service:block service:tg',
    'service:unblock service:tg',
  ])
  const { rows } = await pool.query<{ version: string }>({
    text: `SELECT value #>> '{}' AS version FROM settings WHERE key = 'catalog_version'`,
  })
  expect(rows).toEqual([{ version: '2' }])
})
