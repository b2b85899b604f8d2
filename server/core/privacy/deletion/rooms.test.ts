import { expect, test } from 'vitest'
import { DAY, HOUR } from '#contract/time.ts'
import { flushKeyCalls } from '#server/core/accounts/api-keys/flush-calls.ts'
import { notify } from '#server/core/notifications/notify.ts'
import { insertNews } from '#server/core/notifications/queries/news.ts'
import { spreadOpenNews } from '#server/core/notifications/spread-news.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { answerTicket } from '#server/core/support/answer.ts'
import { buyOne, count, expectBooksRight, pushSms } from '#test/builders/activation-rows.ts'
import { makeStaff } from '#test/builders/staff.ts'
import { call, refused } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { sweepDeletions } from './sweep-deletions.ts'

const ASK = 'POST /api/v1/privacy/deletion'
const OPEN = 'POST /api/v1/support/tickets'
const CLOSE = 'POST /api/v1/support/tickets/{id}/close'
const MARK = 'Kropotkin'
const TELEGRAM_ID = '777000111'

async function upload(t: TestApp, user: TestUser): Promise<number> {
  const response = await t.fetch('/api/v1/support/files', {
    method: 'POST',
    token: user.token,
    headers: { 'content-type': 'application/pdf', 'file-name': `${MARK}.pdf` },
    body: Buffer.from(`%PDF-1.7\n%${MARK}\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n`),
  })
  const { data } = (await response.json()) as { data: { id: number } }
  return data.id
}

async function settleIn(t: TestApp, user: TestUser): Promise<{ ticket: number; key: string }> {
  const { db, clock } = t.ctx
  const files = [await upload(t, user)]
  const wish = { category: 'other', subject: `${MARK} asks`, text: `I am ${MARK}`, files } as const
  const { data: ticket } = await call(t, OPEN, wish, { token: user.token })
  const { secret: key } = await call(t, 'POST /api/v1/keys', { name: MARK, scopes: ['read'] }, user)
  const told = {
    kind: 'telegram-linked',
    details: { name: MARK },
    userId: user.id,
    link: null,
    dedupeKey: 'x',
  } as const
  await notify(db, told, clock.now())
  const rows = [
    `INSERT INTO passkeys (user_id, credential_id, public_key, handle, counter, transports, rp_id, name, created_at)
      VALUES ($1, '\\x01', '\\x01', '\\x01', 0, '{}', 'localhost', '${MARK}', now())`,
    `INSERT INTO telegram_chats (user_id, telegram_id, name, wants_codes, linked_at)
      VALUES ($1, ${TELEGRAM_ID}, '${MARK}', true, now())`,
    `INSERT INTO telegram_links (user_id, token_hash, wants_codes, expires_at) VALUES ($1, '\\x01', true, now() + interval '1 year')`,
    `INSERT INTO channel_rewards (user_id, telegram_id, currency, amount_micros, at) VALUES ($1, ${TELEGRAM_ID}, 'rub', 1, now())`,
    `INSERT INTO push_subscriptions (user_id, session_id, endpoint_hash, sealed, created_at)
      SELECT $1, min(id), '\\x01', '{}', now() FROM sessions WHERE user_id = $1`,
    `UPDATE users SET name = '${MARK}' WHERE id = $1`,
  ]
  for (const text of rows) await db.query({ text, values: [user.id] })
  return { ticket: ticket.id, key }
}

async function dump(t: TestApp): Promise<string[]> {
  const { rows: tables } = await t.ctx.db.query<{ name: string }>({
    text: `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`,
  })
  const lines: string[] = []
  for (const { name } of tables) {
    const { rows } = await t.ctx.db.query<{ row: string }>({ text: `SELECT t::text AS row FROM ${name} t` })
    const readable = rows.map(({ row }) =>
      row.replace(/\\\\x([\da-f]+)/g, (_all, hex: string) => Buffer.from(hex, 'hex').toString('latin1')),
    )
    lines.push(...readable.map((row) => `${name}: ${row}`))
  }
  return lines
}

const tablesWith = async (t: TestApp, words: RegExp) =>
  new Set((await dump(t)).filter((line) => words.test(line)).map((line) => line.split(':')[0]))

test('O-12: an open ticket keeps the account, then no table has a word of the person; the reward keeps its number', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ balance: '0', email: `${MARK}@example.test` })
  const [other, staff] = [await t.makeUser({ balance: '0' }), await t.makeUser({ balance: '0' })]
  const { ticket, key } = await settleIn(t, user)
  const staffWrites = { ticketId: BigInt(ticket), staffId: staff.id, files: [], idempotencyKey: undefined }
  await answerTicket(t.ctx, { ...staffWrites, kind: 'note', text: `A note on ${MARK}` })
  const { data: theirs } = await call(t, OPEN, { category: 'other', subject: 'Mine', text: 'stays' }, other)
  expect([...(await tablesWith(t, new RegExp(MARK, 'i')))].sort()).toEqual(
    [
      'api_keys',
      'notifications',
      'passkeys',
      'support_files',
      'support_messages',
      'support_tickets',
      'telegram_chats',
      'users',
    ].map((name) => `public.${name}`),
  )
  await call(t, ASK, {}, user)
  t.clock.advance(14 * DAY)
  await sweepDeletions(t.ctx)
  Object.assign(user, await beginTestSession(t.ctx, user.id))
  expect((await call(t, 'GET /api/v1/privacy', {}, user)).deletion).toMatchObject({ waits_for: ['tickets'] })
  await call(t, CLOSE, { id: ticket }, user)
  await upload(t, user)
  t.clock.advance(HOUR)
  Object.assign(user, await beginTestSession(t.ctx, user.id))
  expect((await call(t, 'GET /api/user', {}, { token: key })).id).toBe(user.id)
  using socket = await listen(t, { ...user, token: key })
  await sweepDeletions(t.ctx)
  expect((await socket.closed).code).toBe(4009)
  expect((await refused(t, 'GET /api/user', {}, { token: key })).status).toBe(401)
  await call(t, 'GET /api/user', {}, { token: await t.makeApiKey(other) })
  await flushKeyCalls(t.ctx)
  expect(await count(t.ctx, 'api_key_calls')).toBe(1)
  expect([...(await tablesWith(t, new RegExp(MARK, 'i')))]).toEqual([])
  expect([...(await tablesWith(t, new RegExp(TELEGRAM_ID)))]).toEqual(['public.channel_rewards'])
  expect(await count(t.ctx, 'channel_rewards WHERE user_id = $1', [user.id])).toBe(1)
  const { token } = await beginTestSession(t.ctx, other.id)
  expect((await call(t, 'GET /api/v1/support/tickets/{id}', { id: theirs.id }, { token })).data.messages).toHaveLength(
    1,
  )
})

test('an answered ticket keeps nobody, and what staff gave back in it stays in the sums', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const user = await t.makeUser({ balance: '13.00' })
  const staff = await makeStaff(t, 'support')
  const { id: order, phone } = await buyOne(t, user)
  await pushSms(t, supplier, { phone })
  const { data: ticket } = await call(t, OPEN, { category: 'number', subject: 'x', text: 'y' }, { token: user.token })
  await call(t, 'POST /api/v1/staff/tickets/{id}/refund', { id: ticket.id, kind: 'activation', order }, staff)
  const answer = { ticketId: BigInt(ticket.id), staffId: staff.id, kind: 'staff', text: 'Done' } as const
  await answerTicket(t.ctx, { ...answer, files: [], idempotencyKey: undefined })
  t.clock.advance(DAY)
  await sweepExpired(t.ctx)
  Object.assign(user, await beginTestSession(t.ctx, user.id))
  await call(t, ASK, { give_up: '13.00' }, user)
  t.clock.advance(14 * DAY)
  await sweepDeletions(t.ctx)
  expect(await count(t.ctx, 'users WHERE id = $1 AND erased_at IS NOT NULL', [user.id])).toBe(1)
  expect(await count(t.ctx, 'support_tickets')).toBe(0)
  const kept = 'support_refunds WHERE user_id = $1 AND ticket_id IS NULL AND amount_micros = 13000000'
  expect(await count(t.ctx, kept, [user.id])).toBe(1)
  await expectBooksRight(t.ctx)
})

test('news that are still being spread pass over who has left', async () => {
  await using t = await startTestApp()
  const [user, other] = [await t.makeUser({ balance: '0' }), await t.makeUser({ balance: '0' })]
  await call(t, ASK, {}, user)
  t.clock.advance(14 * DAY)
  const words = { ru: { title: 'x', text: 'y' }, en: { title: 'x', text: 'y' } }
  await insertNews(t.ctx.db, { words, link: null, now: t.clock.now() })
  await sweepDeletions(t.ctx)
  expect(await spreadOpenNews(t.ctx)).toBe(1)
  expect(await count(t.ctx, `notifications WHERE kind = 'news' AND user_id = $1`, [other.id])).toBe(1)
  expect(await spreadOpenNews(t.ctx)).toBe(0)
})
