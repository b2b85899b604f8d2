import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { callApi, complaintsBut, expectSignedIn, newPerson, type Person, signInAs } from './support/accounts.ts'
import { axeFindings, overflowOf } from './support/axe.ts'
import { browser, expectBalance, liveOpened } from './support/browser.ts'
import { demoOfFile } from './support/demo-server.ts'
import { staffDesk } from './support/staff-desk.ts'

const server = demoOfFile()
const { openDesk, judge, shot, LOOKS } = staffDesk(server)

type Activation = { data: { id: number; state: string; price: string } }

async function boughtWithCode({ token }: Person): Promise<Activation['data']> {
  const wish = { service_id: 'tg', country_id: 2, operator_id: 'swift' }
  const { data } = await callApi<Activation>(server, 'POST /api/v1/activations', wish, token)
  const read = () => callApi<Activation>(server, `GET /api/v1/activations/${data.id}`, null, token)
  await expect.poll(async () => (await read()).data.state, { timeout: 20_000 }).toBe('received')
  return data
}

async function buyerWithMoney(): Promise<Person> {
  return newPerson(server, { balance: '500' })
}

async function ticketOf({ token }: Person, wish: object): Promise<number> {
  const reply = await callApi<{ data: { id: number } }>(server, 'POST /api/v1/support/tickets', wish, token)
  return reply.data.id
}

test('4.13, 6.1: a first day at the desk: the queue, an answer, a note, and money back in one press', async () => {
  const buyer = await buyerWithMoney()
  const order = await boughtWithCode(buyer)
  // The demo begins with a queue, and this day begins with none.
  await server.pool.query({
    text: `UPDATE support_tickets SET state = 'closed', waits_since = NULL, unread_staff = 0, closed_at = now()`,
  })
  await using visit = await openDesk('support', '/staff/tickets')
  const { page } = visit
  await page.getByText('No tickets waiting').waitFor()
  await judge(visit, '/staff/tickets', 'empty', LOOKS.slice(0, 1))
  const opened = liveOpened(page)
  await page.goto(`${server.url}/staff/tickets`)
  await opened

  const about = { kind: 'activation', id: String(order.id) }
  const id = await ticketOf(buyer, {
    category: 'number',
    subject: 'The code does not work',
    about,
    text: 'It says **wrong code**.\n\n<script>alert(1)</script>\n\n- tried twice\n- `48213`',
  })
  await page.getByRole('link', { name: 'The code does not work' }).click()
  await page.getByRole('heading', { level: 1, name: 'The code does not work' }).waitFor()
  await page.getByText('<script>alert(1)</script>').waitFor()

  await using phone = await browser.open(server.url, { width: 390, height: 844 })
  await signInAs(phone.page, buyer)
  await expectSignedIn(phone.page)
  const heard = liveOpened(phone.page)
  await phone.page.goto(`${server.url}/support/${id}`)
  await heard

  const talk = page.getByRole('region', { name: 'Conversation' })
  const send = async (label: string, words: string) => {
    await page.getByLabel(label).fill(words)
    await page.keyboard.press('Control+Enter')
    await talk.getByText(words).waitFor()
  }
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  await send('Note for colleagues', 'asks every week')
  // After an internal note the form switches back to answers to the buyer.
  await send('Reply to the buyer', 'We give the money back.')
  await page.getByText('You’re working on it').waitFor()
  await phone.page.getByText('We give the money back.').waitFor()
  expect(await phone.page.getByText('asks every week').count()).toBe(0)

  await page.getByRole('button', { name: /^Refund .* for Telegram/ }).click()
  await page.getByText('Money refunded', { exact: true }).first().waitFor()
  await expectBalance(phone.page, '500.00 ₽')
  await page.getByRole('button', { name: /^What happened with Telegram/ }).press('Enter')
  await page.getByText(/^support refunded \d/).waitFor()
  await phone.page.getByText(/^\d.* refunded for number \+/).waitFor()
  await phone.page.getByText(/^\d[^a-z]* refunded$/).waitFor()

  await phone.page.getByLabel('Your reply').fill('Thank you!')
  await phone.page.getByRole('button', { name: 'Send' }).click()
  await talk.getByText('Thank you!').waitFor()
  await shot(phone.page, 'phone')
  expect(await overflowOf(phone.page)).toBeLessThanOrEqual(0)
  expect(await axeFindings(phone.page)).toEqual([])
  expect(phone.complaints).toEqual([])
  await phone.page.goto(`${server.url}/history`)
  await phone.page.getByText(/refunded$/).waitFor()
  await shot(phone.page, 'history')
  await judge(visit, `/staff/tickets/${id}`, 'ticket')
  await ticketOf(buyer, { category: 'payment', subject: 'A payment is missing', text: 'Where is it?' })
  await judge(visit, '/staff/tickets', 'queue', LOOKS.slice(1))
  expect(complaintsBut(visit, 422)).toEqual([])
}, 180_000)

test('an operator writes ready answers by the keyboard, and they are put into an answer in the language of the buyer', async () => {
  const buyer = await newPerson(server)
  const id = await ticketOf(buyer, { category: 'other', subject: 'How long does it take?', text: 'Tell me' })
  await using visit = await openDesk('operator', '/staff/answers')
  const { page } = visit
  await page.getByRole('button', { name: 'New reply' }).press('Enter')
  // Letters typed without a focused field are lost before hydration, so the test waits for the focus.
  await page.locator('form :focus').waitFor()
  await page.keyboard.type('Wait a little')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Здравствуйте, {name}! Код приходит за минуту.')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Hello, {name}! A code takes a minute.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Wait a little' }).waitFor()
  await judge(visit, '/staff/answers', 'answers')

  await page.goto(`${server.url}/staff/tickets/${id}`)
  await page.getByLabel('Insert a saved reply').selectOption('Wait a little')
  const field = page.getByLabel('Reply to the buyer')
  expect(await field.inputValue()).toMatch(/^Здравствуйте[^{]*! Код приходит за минуту\.$/)
  expect(complaintsBut(visit, 422)).toEqual([])
}, 120_000)

test('a buyer and a visitor find no staff room: neither its pages nor a link', async () => {
  const buyer = await newPerson(server)
  await using visit = await browser.open(`${server.url}/staff/tickets`)
  const { page } = visit
  // A visitor may be a member of staff, so the page asks to log in instead of answering 404.
  await page.getByRole('dialog', { name: 'Log in' }).waitFor()
  await page.goto(server.url)
  await signInAs(page, buyer)
  await expectSignedIn(page)
  for (const path of ['/staff/tickets', '/staff/tickets/1001', '/staff/answers']) {
    const reply = await page.goto(server.url + path)
    expect(reply?.status()).toBe(404)
    await page.getByText('This page doesn’t exist').waitFor()
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('link', { name: 'Settings' }).waitFor()
  expect(await page.getByRole('link', { name: 'Support desk' }).count()).toBe(0)
})

test('a ticket opens at its end, colleagues see who writes, and what waits is counted on every page', async () => {
  const buyer = await newPerson(server)
  const id = await ticketOf(buyer, { category: 'other', subject: 'A long talk', text: 'The first of many' })
  await using one = await openDesk('support', '/')
  await using other = await openDesk('operator', '/')
  const count = one.page.getByRole('link', { name: /^Support desk: \d+ tickets? waiting$/ })
  await count.waitFor()
  const waiting = async () => Number(/\d+/.exec((await count.getAttribute('aria-label')) ?? '')?.[0])
  const before = await waiting()
  expect(await one.page.title()).toMatch(`(${before}) `)
  const listening = liveOpened(one.page)
  await one.page.goto(`${server.url}/price`)
  await listening
  await ticketOf(buyer, { category: 'other', subject: 'One more', text: 'Still there?' })
  await expect.poll(waiting).toBe(before + 1)
  await expect.poll(() => one.page.title()).toMatch(`(${before + 1}) `)
  await shot(one.page, 'count')

  for (let place = 0; place < 4; place += 1) {
    const text = `Number ${place}\n\n${'One more line of it.\n\n'.repeat(12)}`
    await callApi(server, `POST /api/v1/support/tickets/${id}/messages`, { text }, buyer.token)
  }
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await one.page.setViewportSize(size)
    await one.page.goto(`${server.url}/staff/tickets/${id}`)
    const send = one.page.getByRole('button', { name: 'Reply', exact: true }).last()
    // On a phone the button must stand above the navigation bar at the bottom.
    const bar = size.width < 1024 ? 56 : 0
    await one.page.getByLabel('Insert a saved reply').waitFor()
    await expect.poll(() => inView(send, size.height - bar), { timeout: 10_000 }).toBe(true)
    expect(await one.page.getByText('Number 3').isVisible()).toBe(true)
    if (process.env.SHOTS !== undefined)
      await one.page.screenshot({ path: `${process.env.SHOTS}/opened-${size.width}.png` })
  }
  await one.page.getByLabel('Reply to the buyer').waitFor()
  const heard = liveOpened(other.page)
  await other.page.goto(`${server.url}/staff/tickets/${id}`)
  await heard
  await one.page.getByLabel('Reply to the buyer').pressSequentially('We look')
  await other.page.getByText('support is writing…').waitFor()
  await shot(other.page, 'writing')
  await other.page.getByText('support is writing…').waitFor({ state: 'detached' })
  await one.page.reload()
  await expect.poll(() => one.page.getByLabel('Reply to the buyer').inputValue()).toBe('We look')
  expect(complaintsBut(one, 422)).toEqual([])
}, 180_000)

test('a blocked person is led to support, asks why there, and gets nowhere else', async () => {
  const person = await newPerson(server)
  await using visit = await browser.open(server.url)
  const { page } = visit
  await server.cli('user:block', person.email, '--reason', 'test', '--by', 'test')
  await signInAs(page, person)
  await page.getByText('Your account is blocked.').waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/support')
  await judge(visit, '/support', 'blocked')
  for (const path of ['/', '/settings/security', '/history', '/price']) {
    await page.goto(server.url + path)
    expect(new URL(page.url()).pathname).toBe('/support')
  }
  await page.getByRole('link', { name: 'Contact support' }).first().click()
  await page.getByLabel('Subject').fill('Why am I blocked?')
  await page.getByLabel('What happened').fill('Please tell me')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('heading', { level: 1, name: 'Why am I blocked?' }).waitFor()
  await page.getByLabel('Your reply').fill('It is urgent')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('It is urgent').waitFor()
  await shot(page, 'blocked-ticket')
  // The page must make no call that is refused for a blocked person.
  expect(visit.complaints).toEqual([])
}, 120_000)

async function inView(locator: Locator, height: number): Promise<boolean> {
  const box = await locator.boundingBox()
  return box !== null && box.y >= 0 && box.y + box.height <= height
}
