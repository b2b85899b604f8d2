import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { buyOne, count } from '#test/builders/activation-rows.ts'
import { sentMails } from '#test/builders/mails.ts'
import { addRenting, later, rentOne } from '#test/builders/rental-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { answerTicket } from './answer.ts'
import { MAX_MESSAGES_A_MINUTE, MAX_OPEN_TICKETS } from './limits.ts'

const OPEN = 'POST /api/v1/support/tickets'
const LIST = 'GET /api/v1/support/tickets'
const SHOW = 'GET /api/v1/support/tickets/{id}'
const REPLY = 'POST /api/v1/support/tickets/{id}/messages'
const READ = 'POST /api/v1/support/tickets/{id}/read'
const CLOSE = 'POST /api/v1/support/tickets/{id}/close'
const SUBJECTS = 'GET /api/v1/support/subjects'

const WISH = { category: 'number', subject: 'No code came', text: 'It has been **ten** minutes' } as const

async function open(t: TestApp, { token }: TestUser, change: object = {}) {
  return (await call(t, OPEN, { ...WISH, ...change }, { token, locale: 'en' })).data
}

async function answer(t: TestApp, staff: TestUser, id: number, change: object = {}) {
  const input = { kind: 'staff' as const, text: 'We look into it', files: [], idempotencyKey: undefined }
  return answerTicket(t.ctx, { ticketId: BigInt(id), staffId: staff.id, ...input, ...change })
}

test('3.11: a ticket about a purchase is opened, answered, read, closed, and a reply opens it again', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const [buyer, staff] = [await t.makeUser(), await t.makeUser()]
  const { token } = buyer
  const bought = await buyOne(t, buyer)
  using live = await listen(t, buyer)
  using other = await listen(t, buyer)
  const made = await open(t, buyer, { about: { kind: 'activation', id: String(bought.id) } })
  expect(made).toMatchObject({
    category: 'number',
    subject: 'No code came',
    state: 'open',
    unread: 0,
    messages_count: 1,
    has_older: false,
    about: {
      kind: 'activation',
      id: String(bought.id),
      phone: bought.phone,
      price: '13.00',
      service: { name: 'Telegram' },
    },
    messages: [{ author: 'user', html: '<p>It has been <strong>ten</strong> minutes</p>', files: [] }],
  })
  const [first] = made.messages
  expect(await live.next('NewMessage')).toMatchObject({ id: first?.id, ticketId: made.id, author: 'user' })

  await answer(t, staff, made.id, { kind: 'note', text: 'a secret note' })
  await answer(t, staff, made.id)
  await other.next('NewMessage')
  for (const tab of [live, other]) {
    expect(await tab.next('NewMessage')).toMatchObject({
      ticketId: made.id,
      author: 'support',
      text: 'We look into it',
    })
  }
  const { tickets, unread } = await call(t, LIST, {}, { token })
  expect(unread).toBe(1)
  expect(tickets).toMatchObject({
    data: [{ id: made.id, state: 'answered', unread: 1, messages_count: 2 }],
    meta: { total: 1 },
  })
  const shown = (await call(t, SHOW, { id: made.id }, { token })).data
  expect(shown.messages.map(({ author }) => author)).toEqual(['user', 'support'])
  expect(JSON.stringify(shown)).not.toContain('secret')
  expect((await call(t, LIST, { search: 'secret' }, { token })).tickets.data).toEqual([])
  const through = shown.messages.at(-1)?.id ?? 0
  expect((await call(t, READ, { id: made.id, through: first?.id ?? 0 }, { token })).data.unread).toBe(1)
  expect((await call(t, READ, { id: made.id, through }, { token })).data.unread).toBe(0)

  expect((await call(t, CLOSE, { id: made.id }, { token })).data.state).toBe('closed')
  expect((await call(t, CLOSE, { id: made.id }, { token })).data.state).toBe('closed')
  await call(t, REPLY, { id: made.id, text: 'Still nothing' }, { token })
  expect((await call(t, SHOW, { id: made.id }, { token })).data).toMatchObject({ state: 'open', messages_count: 3 })
  expect((await call(t, LIST, { search: 'still NOTHING' }, { token })).tickets.data).toHaveLength(1)
  expect((await call(t, LIST, { search: `#${made.id}`, state: 'open' }, { token })).tickets.data).toHaveLength(1)
  expect((await call(t, LIST, { search: '%' }, { token })).tickets.data).toEqual([])
  expect((await call(t, LIST, { state: 'closed' }, { token })).tickets.data).toEqual([])
  const searches = Array.from({ length: 30 }, () => t.fetch('/api/v1/support/tickets?search=x', { token }))
  expect((await Promise.all(searches)).map(({ status }) => status)).toContain(429)
})

test('what a ticket may be about: one’s latest purchases and payments; another’s purchase, ticket or number is 404', async () => {
  await using t = await startTestApp()
  await addRenting(t)
  const [buyer, stranger] = [await t.makeUser({ balance: '500.00' }), await t.makeUser()]
  const [token, theirs] = [buyer.token, stranger.token]
  const bought = await buyOne(t, buyer)
  t.clock.advance(1_000)
  const rented = await rentOne(t, buyer)
  const own = (await call(t, SUBJECTS, {}, { token, locale: 'en' })).data
  expect(own.map(({ kind, id }) => [kind, id])).toEqual([
    ['rental', String(rented.id)],
    ['activation', String(bought.id)],
  ])
  const wanted = { kind: 'activation', id: String(bought.id) } as const
  expect((await call(t, SUBJECTS, wanted, { token })).data.map(({ kind }) => kind)).toEqual(['activation', 'rental'])
  const made = await open(t, buyer, { about: { kind: 'rental', id: String(rented.id) } })
  expect(made.about).toMatchObject({ kind: 'rental', price: '130.00', currency: 'rub' })

  const notFound = async (key: Parameters<typeof refused>[1], input: object) =>
    expect((await refused(t, key, input, { token: theirs })).status, key).toBe(404)
  await notFound(SUBJECTS, wanted)
  for (const id of [String(bought.id), '999', 'x', '٣', '9'.repeat(30)]) {
    await notFound(OPEN, { ...WISH, about: { kind: 'activation', id } })
  }
  await notFound(OPEN, { ...WISH, about: { kind: 'payment', id: 'none' } })
  await notFound(SHOW, { id: made.id })
  await notFound(REPLY, { id: made.id, text: 'x' })
  await notFound(READ, { id: made.id, through: 99_999 })
  await notFound(CLOSE, { id: made.id })
  expect((await call(t, LIST, {}, { token: theirs })).tickets).toMatchObject({
    data: [],
    meta: { total: 0, last_page: 1 },
  })
  expect((await refused(t, LIST, {}, { token: await t.makeApiKey(buyer) })).body.code).toBe('FORBIDDEN')
  expect((await refused(t, LIST, {})).status).toBe(401)
})

test('a key used twice, even at once, opens one ticket and writes one message; for something else it is refused', async () => {
  await using t = await startTestApp()
  const buyer = await t.makeUser()
  const { token } = buyer
  const same = { token, idempotencyKey: 'press-0001' }
  const made = await Promise.all([1, 2, 3].map(() => call(t, OPEN, WISH, same)))
  expect(new Set(made.map(({ data }) => data.id)).size).toBe(1)
  const id = made[0]?.data.id ?? 0
  const replies = await Promise.all([1, 2, 3].map(() => call(t, REPLY, { id, text: 'once' }, same)))
  expect(new Set(replies.map(({ data }) => data.id)).size).toBe(1)
  expect(await count(t.ctx, 'support_messages')).toBe(2)
  expect((await refused(t, REPLY, { id, text: 'twice' }, same)).body.code).toBe('IDEMPOTENCY_CONFLICT')
  expect((await refused(t, OPEN, { ...WISH, subject: 'other' }, same)).body.code).toBe('IDEMPOTENCY_CONFLICT')
})

test('limits hold under a race: open tickets, messages a minute, and the length of each field', async () => {
  await using t = await startTestApp()
  const buyer = await t.makeUser()
  for (let made = 1; made < MAX_OPEN_TICKETS; made += 1) {
    await open(t, buyer)
    if (made % MAX_MESSAGES_A_MINUTE === 0) t.clock.advance(MINUTE)
  }
  await later(t, buyer, 2 * MINUTE)
  const fresh = { token: buyer.token }
  const last = await Promise.all([1, 2, 3].map(() => refusedOrNull(t, WISH, fresh)))
  expect(last.filter((code) => code === null)).toHaveLength(1)
  expect(last.filter((code) => code === 'TOO_MANY_TICKETS')).toHaveLength(2)
  const { tickets } = await call(t, LIST, { per_page: 50 }, fresh)
  const id = tickets.data[0]?.id ?? 0
  await call(t, CLOSE, { id }, fresh)
  expect(await refusedOrNull(t, WISH, fresh)).toBe('TOO_MANY_REQUESTS')
  await later(t, buyer, 2 * MINUTE)
  const sent = await Promise.all(
    Array.from({ length: MAX_MESSAGES_A_MINUTE + 2 }, () =>
      refusedReply(t, { id, text: 'hello' }, { token: buyer.token }),
    ),
  )
  expect(sent.filter((code) => code === null)).toHaveLength(MAX_MESSAGES_A_MINUTE)
  expect(sent.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(2)

  await later(t, buyer, 2 * MINUTE)
  const bad = async (key: 'open' | 'reply', input: object) =>
    (await refused(t, key === 'open' ? OPEN : REPLY, input, { token: buyer.token })).body
  for (const text of ['', ' \n ', '\u0007', 'я'.repeat(10_001), 5, null]) {
    expect((await bad('reply', { id, text })).errors).toHaveProperty('text')
  }
  expect((await bad('open', { ...WISH, subject: 'x'.repeat(121) })).errors).toHaveProperty('subject')
  expect((await bad('open', { ...WISH, category: 'love' })).errors).toHaveProperty('category')
  expect((await bad('reply', { id, text: 'x', files: [1, 2, 999] })).errors).toHaveProperty('files')
  expect((await bad('open', { ...WISH, role: 'operator' })).errors).toHaveProperty('role')
  expect((await bad('reply', { id, text: 'x'.repeat(10_000_000) })).code).toBe('BODY_TOO_LARGE')
})

async function refusedOrNull(t: TestApp, wish: object, options: { token: string }): Promise<string | null> {
  return codeOf(await t.fetch('/api/v1/support/tickets', { method: 'POST', ...jsonOf(wish), ...options }))
}

async function refusedReply(t: TestApp, { id, text }: { id: number; text: string }, options: { token: string }) {
  return codeOf(
    await t.fetch(`/api/v1/support/tickets/${id}/messages`, { method: 'POST', ...jsonOf({ text }), ...options }),
  )
}

async function codeOf(response: Response): Promise<string | null> {
  return response.status === 201 ? null : ((await response.json()) as { code: string }).code
}

function jsonOf(body: object) {
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

test('a member who is away has one mail about a ticket in a quarter of an hour, and none once it is read', async () => {
  await using t = await startTestApp()
  const [buyer, staff] = [await t.makeUser({ email: 'away@example.test' }), await t.makeUser()]
  const { id } = await open(t, buyer)
  await answer(t, staff, id)
  await answer(t, staff, id)
  await t.runJobs()
  const mails = async () => (await sentMails(t)).map(({ to, mail }) => [to, mail.kind])
  expect(await mails()).toEqual([['away@example.test', 'support-answer']])
  await answer(t, staff, id)
  await t.runJobs()
  expect(await mails()).toHaveLength(1)
  await later(t, buyer, 15 * MINUTE)
  await t.hurryJobs()
  expect(await mails()).toHaveLength(2)

  const live = await listen(t, buyer)
  using _program = await listen(t, { ...buyer, token: await t.makeApiKey(buyer) })
  await later(t, buyer, 16 * MINUTE)
  await answer(t, staff, id)
  await t.hurryJobs()
  expect(await mails()).toHaveLength(2)
  live[Symbol.dispose]()
  await live.closed
  await expect.poll(() => t.ctx.realtime.hasTabs(`private-user.${buyer.id}`)).toBe(false)
  await t.hurryJobs()
  expect(await mails()).toHaveLength(3)
  await later(t, buyer, 16 * MINUTE)
  const message = await answer(t, staff, id)
  await call(t, READ, { id, through: Number(message.id) }, { token: buyer.token })
  await t.hurryJobs()
  expect(await mails()).toHaveLength(3)
})

test('older messages are asked for, and the order of a ticket holds', async () => {
  await using t = await startTestApp()
  const [buyer, staff] = [await t.makeUser(), await t.makeUser()]
  const { id } = await open(t, buyer)
  for (let sent = 0; sent < 31; sent += 1) await answer(t, staff, id, { text: `answer ${sent}` })
  const newest = (await call(t, SHOW, { id }, { token: buyer.token })).data
  expect(newest).toMatchObject({ has_older: true, unread: 31 })
  expect(newest.messages.map(({ text }) => text).slice(-2)).toEqual(['answer 29', 'answer 30'])
  const before = newest.messages[0]?.id ?? 0
  const older = (await call(t, SHOW, { id, before }, { token: buyer.token })).data
  expect(older.messages.map(({ text }) => text)).toEqual([WISH.text, 'answer 0'])
  expect(older.has_older).toBe(false)
})

test('one search of a person and two of all run at once; one that takes too long ends and says so', async () => {
  await using t = await startTestApp()
  const people = [await t.makeUser(), await t.makeUser(), await t.makeUser()]
  const [first] = people
  if (first === undefined) throw new Error('nobody')
  await open(t, first)
  const search = ({ token }: TestUser) => t.fetch('/api/v1/support/tickets?search=x', { token })
  const held = async () => {
    const { rows } = await t.ctx.db.query<{ count: bigint }>({
      text: `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%support_messages%'`,
    })
    return Number(rows[0]?.count)
  }
  await transaction(t.ctx.db, async (tx) => {
    await tx.query({ text: 'LOCK TABLE support_messages IN ACCESS EXCLUSIVE MODE' })
    const asked = people.map(search)
    await expect.poll(held).toBe(2)
    expect((await search(first)).status).toBe(429)
    expect(await held()).toBeLessThan(3)
    const answers = await Promise.all(asked)
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
    expect(await answers[0]?.json()).toMatchObject({ message: expect.stringContaining('другое слово') })
  })
  expect((await search(first)).status).toBe(200)
  expect((await refused(t, LIST, { search: 'x'.repeat(61) }, { token: first.token })).status).toBe(422)
})
