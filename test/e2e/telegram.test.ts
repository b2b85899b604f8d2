import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTelegramHouse, type TelegramHouse } from '#test/fakes/telegram/telegram-house.ts'
import { callApi, newPerson } from './support/accounts.ts'
import { axeFindings, findingsOfViews } from './support/axe.ts'
import { type DemoServer, startDemoServer } from './support/demo-server.ts'
import { openSettings } from './support/settings-page.ts'

let house: TelegramHouse
let server: DemoServer

beforeAll(async () => {
  house = await openTelegramHouse({
    TELEGRAM_CHANNEL: 'ringpost_news',
    TELEGRAM_SUBSCRIBE_REWARD_RUB: '25.00',
    TELEGRAM_REWARD_NEEDS_TOP_UP: '0',
    TELEGRAM_REWARD_LINK_HOURS: '0',
  })
  server = await startDemoServer(house.environment)
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await house?.[Symbol.asyncDispose]()
})

/** The Telegram id of the last person. The reward is given once, so each try takes a new id. */
let people = 500

test('P-1, 1.17: a chat is connected, the channel joined, the reward given, and the chat let go', async () => {
  people += 1
  const chatId = people
  const buyer = await newPerson(server)
  await using visit = await openSettings(server, buyer, { path: '/settings/notifications' })
  const { page, complaints } = visit
  const part = page.getByRole('region', { name: 'Telegram', exact: true })
  await part.getByText('25.00 ₽ for joining our channel').waitFor()
  await part.getByRole('switch', { name: 'Codes from your numbers' }).click()
  await part.getByRole('button', { name: 'Connect Telegram' }).click()
  const link = part.getByRole('link', { name: 'Open the bot' })
  await link.waitFor()
  expect(await axeFindings(page)).toEqual([])
  const token = new URL((await link.getAttribute('href')) ?? '').searchParams.get('start')
  house.write(chatId, `/start ${token}`)
  const button = () => house.sent.find((one) => one.chatId === chatId)?.buttons[0]
  await expect.poll(button, { timeout: 60_000 }).toMatch(/^link:/)
  house.press(chatId, button() ?? '')
  await part.getByText('Connected: Anna').waitFor({ timeout: 60_000 })
  expect(await part.getByRole('switch', { name: 'Codes from your numbers' }).isChecked()).toBe(true)
  expect(await findingsOfViews(page)).toEqual([])

  await part.getByRole('button', { name: 'Get the reward' }).click()
  const dialog = page.getByRole('dialog', { name: 'Channel reward' })
  await dialog.getByRole('link', { name: 'Open the channel' }).waitFor()
  expect(await findingsOfViews(page)).toEqual([])
  house.members.set(chatId, 'member')
  await dialog.getByRole('button', { name: 'I’ve joined' }).click()
  await dialog.getByText('added 25.00 ₽ to your balance').waitFor()
  await dialog.getByRole('button', { name: 'OK' }).click()
  const { balance } = await callApi<{ balance: string }>(server, 'GET /api/user', null, buyer.token)
  expect(balance).toBe('25.00')

  await part.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await part.getByRole('button', { name: 'Connect Telegram' }).waitFor()
  await part.getByText('You got 25.00 ₽').waitFor()
  expect(await axeFindings(page)).toEqual([])
  expect(house.faults).toEqual([])
  expect(complaints).toEqual([])
})
