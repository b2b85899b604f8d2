import { expect, test } from 'vitest'
import { notify } from '#server/notifications/notify.ts'
import { sentMails } from '#test/builders/mails.ts'
import { linkChat, workOff } from '#test/builders/telegram.ts'
import { openTelegramHouse } from '#test/fakes/telegram/telegram-house.ts'
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
  // Who has no chat gets the letter.
  expect((await sentMails(t)).slice(before).map(({ to }) => to)).toEqual([stranger.email])
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
