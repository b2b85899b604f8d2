import type { CDPSession } from 'playwright-core'
import { expect, test } from 'vitest'
import { startPushService } from '#test/fakes/push-service.ts'
import { newApiKey, newBuyer } from './support/accounts.ts'
import { axeFindings } from './support/axe.ts'
import { browser } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

const server = demoOfWorker()

/** Chromium in a test reaches no push service and grants no notifications, so stubs take their place. */
function subscribeAt(subscription: object): void {
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
  Notification.requestPermission = async () => 'granted'
  const made = { toJSON: () => subscription, unsubscribe: async () => true }
  PushManager.prototype.getSubscription = async () => null
  PushManager.prototype.subscribe = async () => Object.assign(Object.create(PushSubscription.prototype), made)
}

test('push is turned on in this browser, a code comes while the site is closed, and the worker shows it', async () => {
  await using service = await startPushService()
  const buyer = await newBuyer(server)
  await using visit = await browser.openAs(server, buyer, '/faq', { worker: true })
  const { page, context, complaints } = visit
  const reply = await fetch(`${server.url}/api/v1/push`, { headers: { authorization: `Bearer ${buyer.token}` } })
  const { public_key } = (await reply.json()) as { public_key: string }
  await page.addInitScript(subscribeAt, service.subscribe(public_key))
  await page.goto(`${server.url}/settings/notifications`)
  const here = page.getByRole('switch', { name: 'Push notifications here' })
  await here.click()
  await expect.poll(() => here.isChecked()).toBe(true)
  await page.reload()
  await expect.poll(() => here.isChecked()).toBe(true)
  expect(await axeFindings(page)).toEqual([])
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  // The document /favicon.svg has no live socket, but it has the site's service worker.
  await page.goto(`${server.url}/favicon.svg`)

  const query = { action: 'getNumber', api_key: await newApiKey(server, buyer), service: 'tg', country: '0' }
  const bought = await (await fetch(`${server.url}/stubs/handler_api.php?${new URLSearchParams(query)}`)).text()
  expect(bought).toContain('ACCESS_NUMBER')
  await expect.poll(() => service.pushed.length, { timeout: 60_000 }).toBe(1)
  expect(service.faults).toEqual([])
  const content = service.pushed[0]?.content as { title: string; url: string }
  expect(content).toMatchObject({ title: expect.stringMatching(/^Telegram: \d+$/), url: '/activations' })

  const [worker] = context.serviceWorkers()
  if (worker === undefined) throw new Error('there is no worker')
  await worker.evaluate(() => {
    const shown: unknown[] = []
    const { registration } = self as unknown as { registration: ServiceWorkerRegistration }
    registration.showNotification = async (title, options) => {
      shown.push({ title, ...options })
    }
    Object.assign(self, { shown })
  })
  await deliver(await context.newCDPSession(page), server.url, content)
  const shown = () => worker.evaluate(() => (self as unknown as { shown: unknown[] }).shown)
  await expect.poll(shown).toMatchObject([{ title: content.title, data: { url: '/activations' } }])

  await page.goto(`${server.url}/settings/notifications`)
  await here.click()
  await expect.poll(() => here.isChecked()).toBe(false)
  expect(complaints).toEqual([])
})

async function deliver(devtools: CDPSession, origin: string, content: object): Promise<void> {
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first !== undefined) resolve(first.registrationId)
    })
  })
  await devtools.send('ServiceWorker.enable')
  const data = JSON.stringify(content)
  await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data })
}
