import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { answering, startReceiver } from '#test/fakes/webhook-receiver.ts'
import { newPerson } from './support/accounts.ts'
import { axeFindings, overflowOf } from './support/axe.ts'
import { demoOfWorker } from './support/demo-server.ts'
import { group, openSettings } from './support/settings-page.ts'

const server = demoOfWorker()

test('17.5: a webhook is added, tested, looked into, sent again, given a new secret, turned off and deleted', async () => {
  await using receiver = await startReceiver()
  const person = await newPerson(server)
  await using visit = await openSettings(server, person, { path: '/settings/api' })
  const { page } = visit
  const part = group(page, 'Webhooks')
  await part.getByRole('button', { name: 'Add your first webhook' }).click()
  // The pressed button has gone, so the focus has moved to the form.
  await part.locator('form :focus').waitFor()
  await page.keyboard.type('Shop')
  const form = part.getByRole('form', { name: 'New webhook' })
  await form.getByLabel('Address').fill('https://10.0.0.1/')
  await form.getByRole('checkbox', { name: 'Balance topped up' }).uncheck()
  await form.getByRole('button', { name: 'Add webhook' }).click()
  await form.getByText('Use an https address').waitFor()
  await form.getByLabel('Address').fill(receiver.url)
  await form.getByRole('button', { name: 'Add webhook' }).click()
  await part.getByRole('heading', { name: 'Secret for “Shop”' }).waitFor()
  const secret = await part.locator('code').innerText()
  await part.getByRole('button', { name: 'I’ve saved it' }).click()

  receiver.answer = answering(500, 'not today')
  await part.getByRole('button', { name: 'Test Shop' }).click()
  await part.getByText('responded with 500').waitFor()
  await page.reload()
  await part.getByText(/Failing since/).waitFor()
  await part.getByRole('button', { name: 'Deliveries to Shop' }).click()
  receiver.answer = answering(200, 'thanks')
  await part.locator('summary').click()
  await part.getByText('not today').waitFor()
  await part.getByRole('button', { name: 'Send again' }).click()
  await part.getByText(/200 in \d+ ms/).waitFor()
  const [first, again] = receiver.received
  expect(first?.headers['webhook-id']).toBe(again?.headers['webhook-id'])
  const told = new Webhook(secret).verify(again?.body ?? '', again?.headers as Record<string, string>)
  expect(told).toMatchObject({ type: 'test' })

  await part.getByRole('button', { name: 'New secret for Shop' }).click()
  await part.getByRole('button', { name: 'Get a new secret' }).click()
  await part.getByRole('heading', { name: 'Secret for “Shop”' }).waitFor()
  expect(await part.locator('code').innerText()).not.toBe(secret)
  await part.getByText(/We also sign events with the old secret until/).waitFor()
  await part.getByRole('button', { name: 'Turn off Shop' }).click()
  await part.getByText('Off', { exact: true }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 800 })
  expect(await overflowOf(page)).toBe(0)
  await part.getByRole('button', { name: 'Shop: actions' }).click()
  await part.getByRole('button', { name: 'Delete Shop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await part.getByRole('button', { name: 'Add your first webhook' }).waitFor()
})
