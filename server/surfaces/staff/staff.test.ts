import { expect, test } from 'vitest'
import { splitKey } from '#server/house/http/call.ts'
import { calls } from '#server/programs/app.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { sentMails } from '#test/builders/mails.ts'
import { turnOnTwoFactor } from '#test/builders/second-factor.ts'
import { makeStaff } from '#test/builders/staff.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { auditOf } from '#test/harness/typed.ts'

const QUEUE = 'GET /api/v1/staff/tickets'
const SHOW = 'GET /api/v1/staff/tickets/{id}'
const WRITE = 'POST /api/v1/staff/tickets/{id}/messages'
const TAKE = 'POST /api/v1/staff/tickets/{id}/take'
const ANSWERS = 'POST /api/v1/staff/answers'
const OPEN = 'POST /api/v1/support/tickets'

async function openTicket(t: TestApp, { token }: TestUser, change: object = {}) {
  const wish = { category: 'number' as const, subject: 'No code came', text: 'Where is my code?', ...change }
  return (await call(t, OPEN, wish, { token, locale: 'en' })).data
}

function write(t: TestApp, staff: TestUser, id: number, change: object = {}) {
  return call(t, WRITE, { id, kind: 'staff', text: 'We look into it', seen: 0, ...change }, staff)
}

test('O-13: for everybody but staff with a second factor there is no call of the staff room', async () => {
  await using t = await startTestApp()
  const buyer = await t.makeUser()
  const staff = await makeStaff(t, 'support')
  const operator = await makeStaff(t, 'operator')
  const blocked = await makeStaff(t, 'operator')
  await t.ctx.db.query({ text: 'UPDATE users SET blocked_at = now() WHERE id = $1', values: [blocked.id] })
  const apiKey = await t.makeApiKey(staff)
  // This user has the role operator but no second factor.
  const careless = await t.makeUser()
  await t.ctx.db.query({ text: `UPDATE users SET role = 'operator' WHERE id = $1`, values: [careless.id] })
  const ofStaff = calls.filter(({ key }) => key.includes('/staff/'))
  expect(ofStaff.length).toBeGreaterThanOrEqual(14)
  for (const { key } of ofStaff) {
    for (const options of [{}, buyer, careless, { token: apiKey }]) {
      for (const input of [{ id: 1 }, { id: 'x', nonsense: true }]) {
        const { response } = await send(t, key, input, options)
        expect({ key, status: response.status }).toEqual({ key, status: 404 })
      }
    }
    expect((await refused(t, key as typeof QUEUE, {}, blocked)).status).toBeGreaterThanOrEqual(401)
    const isOfSupply = key.includes('/staff/suppliers')
    const known = await send(t, key, { id: 1 }, isOfSupply ? operator : staff)
    expect({ key, came: known.response.status !== 404 || /\{(id|code)\}/.test(splitKey(key).path) }).toMatchObject({
      came: true,
    })
  }
  await turnOnTwoFactor(t, careless)
  await call(t, QUEUE, {}, careless)
})

test('4.13: staff see who waits longest, answer, and note what no buyer ever sees', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ email: 'anna@example.test' })
  const other = await t.makeUser()
  const staff = await makeStaff(t, 'support')
  const bought = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone: bought.phone })
  const earlier = await buyOne(t, buyer)
  using desk = await listen(t, staff)
  const first = await openTicket(t, buyer, { about: { kind: 'activation', id: String(bought.id) } })
  expect(await desk.next('StaffTicketChanged')).toEqual({ ticketId: first.id })
  t.clock.advance(60_000)
  const second = await openTicket(t, other, { subject: '100% broken', category: 'payment' })

  const queue = await call(t, QUEUE, {}, staff)
  expect(queue).toMatchObject({ waiting: 2, tickets: { meta: { total: 2 } } })
  expect(queue.tickets.data.map(({ id }) => id)).toEqual([first.id, second.id])
  const found = async (filter: object) =>
    (await call(t, QUEUE, { state: 'all', ...filter }, staff)).tickets.data.map(({ id }) => id)
  expect(await found({ search: 'ANNA@example.test' })).toEqual([first.id])
  expect(await found({ search: `#${second.id}` })).toEqual([second.id])
  expect(await found({ search: '_' })).toEqual([])
  expect(await found({ category: 'payment' })).toEqual([second.id])
  expect(await found({ mine: '1' })).toEqual([])

  const { data } = await call(t, SHOW, { id: first.id }, { token: staff.token, locale: 'en' })
  expect(data).toMatchObject({
    can_refund: true,
    cap: '1000.00',
    refunded: '0.00',
    me: { id: staff.id, role: 'support' },
  })
  expect(data.buyer).toMatchObject({ email: 'anna@example.test', balance: '74.00', held: '13.00', tickets_count: 1 })
  expect(data.buyer.numbers).toMatchObject([
    { id: bought.id, about: true, phone: bought.phone, state: 'received', refundable: '13.00' },
    { id: earlier.id, about: false, phone: expect.stringMatching(/\*{3}/), state: 'waiting', refundable: null },
  ])
  expect(JSON.stringify(data)).not.toMatch(/48213|password|secret|token/)
  const timeline = await call(
    t,
    'GET /api/v1/staff/tickets/{id}/timeline',
    { id: first.id, kind: 'activation', order: bought.id },
    staff,
  )
  expect(timeline.data.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['money.hold', 'money.capture', 'message']),
  )
  expect(JSON.stringify(timeline)).not.toMatch(/48213|fake|Telegram/)

  using tab = await listen(t, buyer)
  const SECRET = 'he is a known cheat'
  await write(t, staff, first.id, { kind: 'note', text: SECRET })
  await write(t, staff, first.id, { text: '**Sorry**, <b>really</b>', seen: data.messages.at(-1)?.id })
  const news = await tab.next('NewMessage')
  expect(news).toMatchObject({ ticketId: first.id, author: 'support' })
  expect(JSON.stringify(news)).not.toContain(SECRET)
  await t.runJobs()
  tab[Symbol.dispose]()
  const mine = { token: buyer.token }
  const channels = [
    await call(t, 'GET /api/v1/support/tickets/{id}', { id: first.id }, mine),
    await call(t, 'GET /api/v1/support/tickets', { search: 'known cheat' }, mine),
    await call(t, 'GET /api/v1/support/tickets', {}, mine),
    await call(t, 'GET /api/user', {}, mine),
    await sentMails(t),
  ]
  expect(JSON.stringify(channels)).not.toContain(SECRET)
  expect(channels[1]).toMatchObject({ tickets: { data: [] } })
  expect(channels[2]).toMatchObject({ tickets: { data: [{ messages_count: 2, state: 'answered' }] } })
  const shown = await call(t, SHOW, { id: first.id }, staff)
  expect(shown.data.messages.map(({ kind }) => kind)).toEqual(['member', 'note', 'staff'])
  expect(shown.data.messages.at(-1)?.html).toContain('<strong>Sorry</strong>, &lt;b&gt;really&lt;/b&gt;')
  expect(shown.data).toMatchObject({ state: 'answered', taken_by: { id: staff.id }, unread: 0, waits_since: null })
  expect((await auditOf(t.ctx.db)).map(({ command, actor, subject }) => [command, actor, subject])).toEqual([
    ['ticket:note', `user:${staff.id}`, `ticket:${first.id}`],
    ['ticket:answer', `user:${staff.id}`, `ticket:${first.id}`],
  ])
  expect(JSON.stringify(await auditOf(t.ctx.db))).not.toContain(SECRET)
})

test('two members of staff in one ticket see each other, and never answer twice unawares', async () => {
  await using t = await startTestApp()
  const buyer = await t.makeUser()
  const [one, two] = [await makeStaff(t, 'support'), await makeStaff(t, 'support')]
  const ticket = await openTicket(t, buyer)
  const { id } = ticket
  const seen = ticket.messages.at(-1)?.id ?? 0

  const takes = await Promise.all([one, two].map((staff) => send(t, TAKE, { id }, staff)))
  expect(takes.map(({ response }) => response.status).sort()).toEqual([200, 409])
  const [winner, loser] = takes[0]?.response.ok === true ? [one, two] : [two, one]
  expect((await refused(t, TAKE, { id, from: loser.id }, loser)).body).toMatchObject({
    code: 'TICKET_TAKEN',
    data: { name: 'Buyer' },
  })
  await call(t, TAKE, { id, from: winner.id }, loser)
  expect((await call(t, QUEUE, { mine: '1' }, loser)).tickets.data).toHaveLength(1)
  await call(t, 'POST /api/v1/staff/tickets/{id}/release', { id }, winner)
  expect((await call(t, SHOW, { id }, winner)).data.taken_by?.id).toBe(loser.id)

  const answers = await Promise.all(
    [one, two].map((staff) => send(t, WRITE, { id, kind: 'staff', text: 'Hi', seen }, staff)),
  )
  expect(answers.map(({ response }) => response.status).sort()).toEqual([201, 409])
  expect(answers.find(({ response }) => response.status === 409)?.body).toMatchObject({ code: 'TICKET_ANSWERED' })
  const { data } = await call(t, SHOW, { id }, one)
  expect(data.messages).toHaveLength(2)
  // A member of staff who has read the colleague's answer may add to it. Two clicks send one message.
  const key = { idempotencyKey: crypto.randomUUID() }
  const again = { id, kind: 'staff' as const, text: 'One more thing', seen: data.messages.at(-1)?.id ?? 0 }
  const [sent, repeated] = [
    await call(t, WRITE, again, { ...two, ...key }),
    await call(t, WRITE, again, { ...two, ...key }),
  ]
  expect(repeated).toEqual(sent)
  expect((await call(t, SHOW, { id }, one)).data.messages).toHaveLength(3)
})

test('staff close, reopen and sort tickets; nobody answers one of his own', async () => {
  await using t = await startTestApp()
  const buyer = await t.makeUser()
  const staff = await makeStaff(t, 'support')
  const { id } = await openTicket(t, buyer)
  const close = () => call(t, 'POST /api/v1/staff/tickets/{id}/close', { id }, staff)
  const stateNow = async () => (await call(t, 'GET /api/v1/support/tickets/{id}', { id }, buyer)).data.state
  await close()
  await close()
  expect(await stateNow()).toBe('closed')
  await call(t, 'POST /api/v1/staff/tickets/{id}/reopen', { id }, staff)
  expect(await stateNow()).toBe('open')
  await call(t, 'POST /api/v1/staff/tickets/{id}/category', { id, category: 'payment' }, staff)
  expect((await call(t, QUEUE, { category: 'payment' }, staff)).waiting).toBe(1)
  expect((await auditOf(t.ctx.db)).map(({ command }) => command)).toEqual([
    'ticket:close',
    'ticket:reopen',
    'ticket:category',
  ])

  const own = await openTicket(t, staff)
  const words = { id: own.id, kind: 'staff', text: 'Granted', seen: 0 }
  expect((await refused(t, WRITE, words, staff)).body.code).toBe('OWN_TICKET')
  expect((await call(t, 'GET /api/v1/support/tickets/{id}', { id: own.id }, staff)).data.messages).toHaveLength(1)
  for (const key of [SHOW, WRITE, TAKE] as const) {
    expect(
      (
        await refused(
          t,
          key,
          { ...words, id: 999_999, ...(key !== WRITE && { kind: undefined, text: undefined, seen: undefined }) },
          staff,
        )
      ).status,
    ).toBe(404)
  }
})

test('files of a ticket are for its staff, loose ones and strangers excepted', async () => {
  await using t = await startTestApp()
  const buyer = await t.makeUser()
  const staff = await makeStaff(t, 'support')
  const upload = async () => {
    const response = await t.fetch('/api/v1/support/files', {
      method: 'POST',
      token: buyer.token,
      headers: { 'content-type': 'application/pdf', 'file-name': 'bill.pdf' },
      body: '%PDF-1.4\n%%EOF\n',
    })
    return ((await response.json()) as { data: { id: number } }).data.id
  }
  const [sent, loose] = [await upload(), await upload()]
  await openTicket(t, buyer, { files: [sent] })
  const statusFor = async (user: TestUser, id: number) =>
    (await t.fetch(`/api/v1/support/files/${id}`, { token: user.token })).status
  expect(await statusFor(staff, sent)).toBe(200)
  expect(await statusFor(staff, loose)).toBe(404)
  expect(await statusFor(await t.makeUser(), sent)).toBe(404)
})

test('ready answers are written by operators, and are text whatever they contain', async () => {
  await using t = await startTestApp()
  const support = await makeStaff(t, 'support')
  const operator = await makeStaff(t, 'operator')
  const html = '<img src=x onerror=alert(1)> {name}'
  const answer = { title: 'No code', ru: `Здравствуйте, {name}! ${html}`, en: html }
  expect((await refused(t, ANSWERS, answer, support)).body.code).toBe('FORBIDDEN')
  const { data } = await call(t, ANSWERS, answer, operator)
  expect(data).toMatchObject(answer)
  expect((await refused(t, ANSWERS, { ...answer, title: 'NO CODE' }, operator)).body.code).toBe('ANSWER_EXISTS')
  expect(
    (await refused(t, ANSWERS, { ...answer, title: ' ', ru: 'x'.repeat(5_001) }, operator)).body.errors,
  ).toMatchObject({
    title: expect.anything(),
    ru: expect.anything(),
  })
  const changed = { ...answer, id: data.id, title: 'No code at all' }
  expect((await refused(t, 'PUT /api/v1/staff/answers/{id}', changed, support)).status).toBe(403)
  const misspelt = { title: 'Typo', ru: 'Здравствуйте, {nmae}! {ticket}', en: 'Hello, { name }! {имя}' }
  const wrong = (await refused(t, ANSWERS, misspelt, { token: operator.token, locale: 'en' })).body
  expect(wrong).toMatchObject({
    code: 'INVALID_INPUT',
    errors: {
      ru: ['{nmae} isn’t a known placeholder. Available placeholders: {name}, {ticket}.'],
      en: ['{ name }, {имя} isn’t a known placeholder. Available placeholders: {name}, {ticket}.'],
    },
  })
  const misnamed = { ...changed, en: '{order}' }
  expect((await refused(t, 'PUT /api/v1/staff/answers/{id}', misnamed, operator)).body.code).toBe('INVALID_INPUT')
  await call(t, 'PUT /api/v1/staff/answers/{id}', changed, operator)
  expect(await call(t, 'GET /api/v1/staff/answers', {}, support)).toMatchObject({
    can_change: false,
    data: [{ title: 'No code at all' }],
  })
  const ticket = await openTicket(t, await t.makeUser())
  const sent = await write(t, support, ticket.id, { text: answer.en })
  expect(sent.data.html).not.toContain('<img')
  expect((await refused(t, 'DELETE /api/v1/staff/answers/{id}', { id: data.id }, support)).status).toBe(403)
  await call(t, 'DELETE /api/v1/staff/answers/{id}', { id: data.id }, operator)
  expect((await refused(t, 'DELETE /api/v1/staff/answers/{id}', { id: data.id }, operator)).status).toBe(404)
  expect((await auditOf(t.ctx.db)).map(({ command }) => command).filter((name) => name.startsWith('answer:'))).toEqual([
    'answer:add',
    'answer:change',
    'answer:remove',
  ])
})
