import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { DAY, MINUTE } from '#contract/time.ts'
import { notify } from '#server/core/notifications/notify.ts'
import { LEFT_OUT, SECTIONS } from '#server/core/privacy/sections/all-sections.ts'
import { answerTicket } from '#server/core/support/answer.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { RETENTION } from '#server/house/jobs/retention/rules.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { buyOne, count, pushSms } from '#test/builders/activation-rows.ts'
import { sentMails } from '#test/builders/mails.ts'
import { turnOnTwoFactor } from '#test/builders/second-factor.ts'
import { call, refused, toRefusal } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { failExports } from './fail-exports.ts'
import { makeExport } from './make-export.ts'
import { beginSnapshot } from './row-queries.ts'
import { shownColumns } from './values.ts'
import { TooLarge, writeArchive } from './write-archive.ts'

const ASK = 'POST /api/v1/privacy/export'

async function askAndMake(t: TestApp, user: { token: string }): Promise<number> {
  await call(t, ASK, {}, user)
  await t.runJobs()
  const { export: made } = await call(t, 'GET /api/v1/privacy', {}, user)
  expect(made).toMatchObject({ state: 'ready' })
  return made?.id ?? 0
}

const fileOf = (t: TestApp, id: number, token?: string) =>
  t.fetch(`/api/v1/privacy/exports/${id}/file`, token === undefined ? {} : { token })

async function filesOf(t: TestApp, id: number, token: string): Promise<Record<string, string>> {
  const response = await fileOf(t, id, token)
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="ringpost-data-[\d-]+\.zip"$/)
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]))
}

test('every column of every table about people is in the file, or named with the reason why not', async () => {
  await using t = await startTestApp()
  const { rows } = await t.ctx.db.query<{ name: string; columns: string[] }>({
    text: `SELECT table_name AS name, array_agg(column_name::text) AS columns FROM information_schema.columns
      WHERE table_schema = 'public' GROUP BY 1`,
  })
  const columns = new Map(rows.map((row) => [row.name, row.columns]))
  const ofPeople = Object.entries(RETENTION).flatMap(([table, { person }]) => (person === undefined ? [] : [table]))
  const told = SECTIONS.map(({ table }) => table)
  expect([...told, ...Object.keys(LEFT_OUT)].sort()).toEqual(ofPeople.sort())
  for (const { table, columns: given, leftOut = {} } of SECTIONS) {
    const known = (columns.get(table) ?? []).filter((name) => name !== 'user_id')
    expect([table, ...given, ...Object.keys(leftOut)].sort()).toEqual([table, ...known].sort())
  }
})

test('the file has what came to a number, in both forms, and nothing that signs in', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ balance: '100.00', email: 'anna@example.test' })
  const other = await t.makeUser({ balance: '100.00' })
  const supplier = await t.addFake()
  const { phone } = await buyOne(t, user)
  await pushSms(t, supplier, { phone, text: 'Telegram code: 48213, "для вас"' })
  await pushSms(t, supplier, { phone: (await buyOne(t, other)).phone, text: 'Telegram code: 77777' })
  const { secret, recoveryCodes } = await turnOnTwoFactor(t, user)
  const apiKey = await t.makeApiKey(user)
  const files = await filesOf(t, await askAndMake(t, user), user.token)
  const empty = SECTIONS.map(({ table }) => table).filter((table) => files[`json/${table}.json`] === undefined)
  expect(empty).toContain('rentals')
  for (const { table } of SECTIONS) {
    expect([table, files[`csv/${table}.csv`] === undefined]).toEqual([table, empty.includes(table)])
  }
  const json = (table: string) => JSON.parse(files[`json/${table}.json`] ?? '')
  expect(json('users')).toMatchObject([{ id: user.id, email: 'anna@example.test', role: 'user' }])
  expect(json('messages')).toMatchObject([{ phone, body: 'Telegram code: 48213, "для вас"', code: '48213' }])
  expect(json('activations')).toMatchObject([{ phone, price: '13.00', currency: 'rub' }])
  expect(files['csv/messages.csv']).toContain('"=""Telegram code: 48213, """"для вас"""""""')
  expect(files['csv/activations.csv']).toContain(';13,00;rub;')
  const all = Object.values(files).join('\n')
  expect(all).not.toContain('77777')
  for (const hidden of [user.token, apiKey, secret, ...recoveryCodes, '$argon2', '\\\\x'])
    expect(all).not.toContain(hidden)
  const mails = (await sentMails(t)).filter(({ mail }) => mail.kind === 'export-ready')
  expect(mails).toMatchObject([{ to: 'anna@example.test', locale: 'ru' }])
  // The mailed link names no file, because it opens a page that requires a session.
  expect(Object.keys(mails[0]?.mail ?? {})).toEqual(['kind', 'until'])
})

test('sums are decimals with their currency, in tables, in documents and where the table has no column of it', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ balance: '100.00' })
  await t.addFake()
  await buyOne(t, user)
  await call(t, 'PATCH /api/v1/notifications/settings', { balance_limit: '12.50' }, user)
  const details = { amountMicros: '250000', currency: 'rub' } as const
  const told = { kind: 'payment-credited', details, link: null, dedupeKey: 'x' } as const
  await notify(t.ctx.db, { ...told, userId: user.id }, t.clock.now())
  const files = await filesOf(t, await askAndMake(t, user), user.token)
  const json = (table: string) => JSON.parse(files[`json/${table}.json`] ?? '')
  expect(json('accounts')).toMatchObject([{ available: '87.00', held: '13.00', currency: 'rub' }])
  expect(json('notification_settings')).toMatchObject([{ balance_limit: '12.50', price_limit: null, currency: 'rub' }])
  expect(json('notifications')).toMatchObject([{ details: { amount: '0.25', currency: 'rub' } }])
  expect(files['csv/notification_settings.csv']).toMatch(/;12,50;.*;rub\r\n$/)
  expect(Object.values(files).join('\n')).not.toMatch(/micros/i)
  const { rows } = await t.ctx.db.query<{ table_name: string }>({
    text: `SELECT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'currency'`,
  })
  for (const section of SECTIONS) {
    const { table, columns, currency } = section
    expect([table, new Set(shownColumns(section)).size]).toEqual([table, shownColumns(section).length])
    if (!columns.some((name) => name.endsWith('_micros'))) continue
    const isInTable = rows.some(({ table_name: name }) => name === table)
    expect([table, isInTable ? columns.includes('currency') : currency !== undefined]).toEqual([table, true])
  }
})

test.each([
  [
    'ru' as const,
    'Пустые таблицы',
    'rentals: арендованные номера',
    'sessions.access_hash: с этими данными можно войти',
  ],
  [
    'en' as const,
    'Empty tables',
    'rentals: numbers you rented',
    'sessions.access_hash: anyone who has this data could log in',
  ],
])('the README is in the language of its reader and names what is empty: %s', async (locale, empty, rentals, why) => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  await call(t, 'PATCH /api/v1/user/settings', { locale }, user)
  const readme = (await filesOf(t, await askAndMake(t, user), user.token))['README.txt'] ?? ''
  const [filled = '', rest = ''] = readme.split(`\r\n${empty}`)
  expect(filled).toContain('\r\nusers: ')
  expect(rest).toContain(`\r\n${rentals}\r\n`)
  expect(rest).toContain(`\r\n${why}`)
  expect(readme).not.toContain('undefined')
  if (locale === 'en') expect(readme).not.toMatch(/[а-яё]/i)
  if (locale === 'ru') for (const line of readme.split('\r\n').filter(Boolean)) expect(line).toMatch(/[а-яё]/i)
})

test('tickets are in the file with their answers and the names of files, and no note of staff, nor another person', async () => {
  await using t = await startTestApp()
  const [user, other, staff] = [await t.makeUser(), await t.makeUser(), await t.makeUser()]
  const upload = async (by: TestUser, name: string) => {
    const headers = { 'content-type': 'application/pdf', 'file-name': name }
    const body = Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')
    const response = await t.fetch('/api/v1/support/files', { method: 'POST', token: by.token, headers, body })
    return ((await response.json()) as { data: { id: number } }).data.id
  }
  const open = async (by: TestUser, text: string, files: number[] = []) =>
    (await call(t, 'POST /api/v1/support/tickets', { category: 'other', subject: text, text, files }, by)).data.id
  const ticketId = BigInt(await open(user, 'where is it', [await upload(user, 'mine.pdf')]))
  await open(other, 'of another', [await upload(other, 'others.pdf')])
  const said = { ticketId, staffId: staff.id, idempotencyKey: undefined }
  await answerTicket(t.ctx, { ...said, kind: 'staff', text: 'it is here', files: [await upload(staff, 'answer.pdf')] })
  await answerTicket(t.ctx, { ...said, kind: 'note', text: 'hidden words', files: [await upload(staff, 'hidden.pdf')] })
  const told = { kind: 'ticket-answer', details: { subject: 'of another' }, link: null, dedupeKey: 'x' } as const
  await notify(t.ctx.db, { ...told, userId: other.id }, t.clock.now())
  await upload(user, 'draft.pdf')
  await call(t, 'POST /api/v1/keys', { name: 'Shop', scopes: ['read'] }, user)
  const files = await filesOf(t, await askAndMake(t, user), user.token)
  const json = (table: string): Record<string, unknown>[] => JSON.parse(files[`json/${table}.json`] ?? '')
  expect(json('support_messages').map(({ kind, body }) => [kind, body])).toEqual([
    ['member', 'where is it'],
    ['staff', 'it is here'],
  ])
  expect(json('support_files').map(({ name }) => name)).toEqual(['mine.pdf', 'answer.pdf', 'draft.pdf'])
  expect(json('notifications')).toMatchObject([{ kind: 'ticket-answer', details: { subject: 'where is it' } }])
  expect(json('api_keys')).toMatchObject([{ name: 'Shop', scopes: ['read'] }])
  expect(Object.values(files).join('\n')).not.toMatch(/hidden|of another|others\.pdf/)
})

test('a file is of its owner, signed in, for seven days; anybody else has none', async () => {
  await using t = await startTestApp()
  const [user, other] = [await t.makeUser(), await t.makeUser()]
  const apiKey = await t.makeApiKey(user)
  const id = await askAndMake(t, user)
  const codeOf = async (token?: string) => {
    const response = await fileOf(t, id, token)
    return toRefusal(response, await response.json()).body.code
  }
  expect(await codeOf()).toBe('UNAUTHENTICATED')
  expect(await codeOf(other.token)).toBe('NOT_FOUND')
  expect(await codeOf(apiKey)).toBe('FORBIDDEN')
  expect((await refused(t, ASK, {}, { token: apiKey })).body.code).toBe('FORBIDDEN')
  t.clock.advance(7 * DAY - MINUTE)
  const { token } = await beginTestSession(t.ctx, user.id)
  expect((await fileOf(t, id, token)).status).toBe(200)
  await t.ctx.db.query({ text: `UPDATE sessions SET created_at = created_at - interval '1 hour'` })
  expect(await codeOf(token)).toBe('CONFIRM_PASSWORD')
  await call(t, 'POST /api/v1/user/confirm-password', { password: user.password }, { token })
  expect((await fileOf(t, id, token)).status).toBe(200)
  t.clock.advance(MINUTE)
  expect(await codeOf(token)).toBe('NOT_FOUND')
  expect((await call(t, 'GET /api/v1/privacy', {}, { token })).export).toBeNull()
  await cleanUp(t.ctx)
  expect(await count(t.ctx, 'data_export_chunks')).toBe(0)
})

test('asking takes a confirmation, and there is one file a day, whoever presses twice', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const presses = await Promise.all(
    [1, 2, 3].map(() => t.fetch('/api/v1/privacy/export', { method: 'POST', token: user.token })),
  )
  expect(presses.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect((await refused(t, ASK, {}, user)).body.code).toBe('EXPORT_ONCE_A_DAY')
  const { next_export_at: next } = await call(t, 'GET /api/v1/privacy', {}, user)
  t.clock.advance(new Date(next ?? '').getTime() - t.clock.now().getTime())
  const { token, sessionId } = await beginTestSession(t.ctx, user.id)
  await t.ctx.db.query({
    text: 'UPDATE sessions SET confirmed_at = NULL, created_at = $2 WHERE id = $1',
    values: [sessionId, new Date(0)],
  })
  expect((await refused(t, ASK, {}, { token })).body.code).toBe('CONFIRM_PASSWORD')
  await call(t, 'POST /api/v1/user/confirm-password', { password: user.password }, { token })
  await call(t, ASK, {}, { token })
})

test('a job that is run again, or for nothing, makes no second file and no second mail', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const id = await askAndMake(t, user)
  const chunks = await count(t.ctx, 'data_export_chunks')
  await makeExport(t.ctx, { exportId: String(id) })
  await makeExport(t.ctx, { exportId: '999' })
  expect(await count(t.ctx, 'data_export_chunks')).toBe(chunks)
  expect((await sentMails(t)).filter(({ mail }) => mail.kind === 'export-ready')).toHaveLength(1)
})

test('mails that come and go while the file is made do not stop it; what a crash left of it is replaced', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  await call(t, ASK, {}, user)
  await t.ctx.db.query({
    text: `INSERT INTO data_export_chunks (export_id, place, body) SELECT id, place, 'left' FROM data_exports, generate_series(0, 3) place`,
  })
  const { rows } = await t.ctx.db.query<{ id: bigint }>({ text: 'SELECT id FROM data_exports' })
  const id = Number(rows[0]?.id)
  let making: Promise<void> | undefined
  await transaction(t.ctx.db, async (tx) => {
    await tx.query({ text: 'LOCK TABLE consents' })
    making = makeExport(t.ctx, { exportId: String(id) })
    const isHeld = `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%consents%'`
    await expect.poll(() => count(t.ctx, isHeld)).toBe(1)
    const mail = { kind: 'two-factor-on' as const }
    for (let n = 0; n < 16; n += 1) await queueMail(t.ctx, t.ctx.db, { to: `${n}@example.test`, locale: 'ru', mail })
  })
  await making
  expect(Object.keys(await filesOf(t, id, user.token))).toContain('json/users.json')
  await t.runJobs()
  expect((await sentMails(t)).filter(({ mail }) => mail.kind === 'export-ready')).toHaveLength(1)
})

test('when the last try has failed its owner is told, and may ask again on the same day', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  await call(t, ASK, {}, user)
  await failExports(t.ctx)
  expect((await call(t, 'GET /api/v1/privacy', {}, user)).export).toMatchObject({ state: 'waiting' })
  await t.ctx.db.query({ text: 'UPDATE graphile_worker._private_jobs SET attempts = max_attempts' })
  await failExports(t.ctx)
  expect(await call(t, 'GET /api/v1/privacy', {}, user)).toMatchObject({
    export: { state: 'failed' },
    next_export_at: null,
  })
  await cleanUp(t.ctx)
  expect(await count(t.ctx, 'graphile_worker.jobs')).toBe(0)
  const id = await askAndMake(t, user)
  await failExports(t.ctx)
  expect((await fileOf(t, id, user.token)).status).toBe(200)
  expect((await refused(t, ASK, {}, user)).body.code).toBe('EXPORT_ONCE_A_DAY')
})

test('a file that is too large is given up, and nothing of it is kept', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const archive = { userId: user.id, locale: 'ru' as const, timeZone: 'UTC', at: t.clock.now(), mostBytes: 100 }
  const write = transaction(t.ctx.db, async (tx) => {
    await beginSnapshot(tx)
    return writeArchive(tx, archive, async () => undefined)
  })
  await expect(write).rejects.toBeInstanceOf(TooLarge)
})
