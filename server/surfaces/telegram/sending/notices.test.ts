import { expect, test } from 'vitest'
import { mailNotification } from '#server/core/notifications/mail-notification.ts'
import { notify } from '#server/core/notifications/notify.ts'
import { answerTicket as answerTicketOf } from '#server/core/support/answer.ts'
import { sentMails } from '#test/builders/mails.ts'
import { bring, linkChat, workOff } from '#test/builders/telegram.ts'
import { openTelegramHouse, refuse } from '#test/fakes/telegram/telegram-house.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'

const ANNA = 1001

function answerTicket(t: TestApp, { id: userId }: TestUser, dedupeKey: string) {
  const details = { subject: 'SMS <b>?' }
  return notify(t.ctx.db, { userId, kind: 'ticket-answer', details, link: '/support/1', dedupeKey }, t.clock.now())
}

function endPreorder(t: TestApp, { id: userId }: TestUser) {
  const details = { serviceCode: 'tg', countryId: 2, state: 'expired' } as const
  return notify(t.ctx.db, { userId, kind: 'preorder-ended', details, link: '/', dedupeKey: 'p' }, t.clock.now())
}

test('a notice is told once: in the chat at once, and no letter follows', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const [user, stranger] = [await t.makeUser(), await t.makeUser()]
  await linkChat(t, house, { user, person: ANNA })
  const before = (await sentMails(t)).length
  for (const each of [user, stranger]) {
    await answerTicket(t, each, 'a')
    await endPreorder(t, each)
  }
  await workOff(t)
  const link = new URL('/support/1', t.ctx.config.publicUrl).href
  expect(house.sent).toEqual([
    { chatId: ANNA, text: `<b>Поддержка ответила</b>\nSMS &lt;b&gt;?\n${link}`, buttons: [] },
    { chatId: ANNA, text: expect.stringContaining('Telegram'), buttons: [] },
  ])
  await t.hurryJobs()
  await workOff(t)
  expect(house.sent).toHaveLength(2)
  expect((await sentMails(t)).slice(before).map(({ to }) => to)).toEqual([stranger.email])
})

test.each([
  [403, 'Forbidden: bot was blocked by the user'],
  [400, 'Bad Request: chat not found'],
])(
  'a chat that refuses (%i) leaves the letter to tell it, whether that had looked before or not',
  async (status, why) => {
    await using house = await openTelegramHouse()
    await using t = await startTestApp({ environment: house.environment })
    const [user, staff] = [await t.makeUser(), await t.makeUser()]
    await linkChat(t, house, { user, person: ANNA })
    await sentMails(t)
    const ticket = { category: 'other', subject: 'SMS', text: 'where is it' } as const
    const { data } = await call(t, 'POST /api/v1/support/tickets', ticket, user)
    await workOff(t)
    const before = (await sentMails(t)).length
    const later = async () => (await sentMails(t)).slice(before).map(({ mail }) => mail.kind)
    const { rows } = await t.ctx.db.query<{ id: string }>({
      text: 'SELECT COALESCE(max(id), 0)::text AS id FROM notifications',
    })
    const lookForMail = () => mailNotification(t.ctx, { id: (BigInt(rows[0]?.id ?? 0) + 1n).toString() })
    let looked: Promise<void> | undefined
    house.misbehave = (method, reply) => {
      if (method !== 'sendMessage') return false
      // The mail becomes due while the request to Telegram is pending.
      looked ??= lookForMail()
      looked.then(
        () => refuse(reply, status, why),
        () => reply.destroy(),
      )
      return true
    }
    await endPreorder(t, user)
    await workOff(t)
    await looked
    expect(await later()).toEqual([])
    await t.hurryJobs()
    expect(await later()).toEqual(['notification'])
    house.write(ANNA, 'hello')
    house.misbehave = (method, reply) => {
      if (method === 'sendMessage') refuse(reply, status, why)
      return method === 'sendMessage'
    }
    await bring(t)
    const said = { ticketId: BigInt(data.id), staffId: staff.id, idempotencyKey: undefined, files: [] }
    await answerTicketOf(t.ctx, { ...said, kind: 'staff', text: 'here' })
    await workOff(t)
    expect(await later()).toEqual(['notification', 'support-answer'])
    for (let n = 0; n < 3; n += 1) await t.hurryJobs()
    expect(await later()).toHaveLength(2)
  },
)

test('a line that is cut leaves open whether the chat has it: no letter follows', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const user = await t.makeUser()
  await linkChat(t, house, { user, person: ANNA })
  const before = (await sentMails(t)).length
  house.misbehave = (method, reply) => {
    if (method === 'sendMessage') reply.destroy()
    return method === 'sendMessage'
  }
  await endPreorder(t, user)
  await workOff(t)
  await t.hurryJobs()
  expect((await sentMails(t)).slice(before)).toEqual([])
})

test('somebody at the page has a minute to read it there; what is read, or not wanted, is not sent', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const user = await t.makeUser()
  await linkChat(t, house, { user, person: ANNA })
  using tab = await listen(t, user)
  await answerTicket(t, user, 'a')
  await workOff(t)
  const { id } = await tab.next('NewUserNotification')
  expect(house.sent).toEqual([])
  await call(t, 'POST /api/v1/notifications/{id}/read', { id }, user)
  await answerTicket(t, user, 'b')
  await workOff(t)
  await t.hurryJobs()
  await workOff(t)
  expect(house.sent).toHaveLength(1)
  const { offered } = await call(t, 'GET /api/v1/notifications/settings', {}, user)
  expect(offered.support).toContain('telegram')
  await call(t, 'PATCH /api/v1/notifications/settings', { choices: { support: ['site'] } }, user)
  await answerTicket(t, user, 'c')
  await t.hurryJobs()
  await workOff(t)
  expect(house.sent).toHaveLength(1)
  expect(house.faults).toEqual([])
})
