import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, inject, test } from 'vitest'
import { findUserByEmail } from '#server/core/accounts/users/queries.ts'
import { answerTicket } from '#server/core/support/answer.ts'
import { systemRandom } from '#server/house/clock.ts'
import { readConfig } from '#server/house/config/config.ts'
import { findSecretKey } from '#server/house/config/secret-key.ts'
import { Pool } from '#server/house/db/pool.ts'
import { buildContext } from '#server/programs/boot/build-context.ts'
import { loadPages } from '#server/programs/boot/load-pages.ts'
import { startServer } from '#server/programs/boot/start.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { axeFindings } from './support/axe.ts'
import { browser, liveOpened, signIn } from './support/browser.ts'

/** Starts the demo in this process, so that the test can answer as staff and the answer is sent live. */
async function startDemoHere() {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const folder = stack.use(await temporaryFolder())
  for (const file of ['demo.json', 'secret-key']) await copyFile(join(inject('demoFolder'), file), folder.path(file))
  const log = recordingLog()
  const { connectionString } = database
  const pool = stack.use(new Pool({ connectionString, maxConnections: 8, applicationName: 'test', log }))
  const { config } = readConfig({ DEMO: '1', PORT: '0', REALTIME_PORT: '0', DATA_DIR: folder.root })
  const secretKey = await findSecretKey({ dataDir: folder.root, secretKey: null }, systemRandom)
  const ctx = buildContext({ config, secrets: { secretKey }, pool, log })
  const { url } = stack.use(await startServer(ctx, { pages: await loadPages(ctx) }))
  const staff = await findUserByEmail(ctx.db, 'operator@ringpost.test')
  if (staff === null) throw new Error('the demo has nobody who runs it')
  const { apiKey } = JSON.parse(await readFile(folder.path('demo.json'), 'utf8')) as { apiKey: string }
  const kept = stack.move()
  return { ctx, url, apiKey, staffId: staff.id, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

test('1.9, 2.1, 3.11, 4.13: from a number to its problem, a picture, an answer that comes live in both tabs, a reply and a draft', async () => {
  await using house = await startDemoHere()
  const { ctx, url, staffId } = house
  await using visit = await browser.open(url)
  const { page, context, complaints } = visit
  await signIn(page)
  const query = { action: 'getNumber', api_key: house.apiKey, service: 'tg', country: '2' }
  const bought = await (await fetch(`${url}/stubs/handler_api.php?${new URLSearchParams(query)}`)).text()
  const id = /^ACCESS_NUMBER:(\d+):/.exec(bought)?.[1]
  await page.goto(`${url}/activations`)
  await page.locator(`[data-activation="${id}"]`).getByRole('link', { name: 'Problem with this number' }).click()
  await page.waitForURL(`${url}/support/create?activation=${id}`)
  expect(await page.getByLabel('Related purchase or payment').inputValue()).toBe(`activation ${id}`)
  expect(await page.getByLabel('Subject').inputValue()).toMatch(/^Problem with Telegram \+7/)

  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('main').getByText('Tell us what happened').waitFor()
  await page.getByLabel('What happened').fill('No code, **twice**.\n\n<script>alert(1)</script>')
  await page.getByText('PNG, JPEG, WebP or PDF. Up to 10 files, 5 MB each.').waitFor()
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#c7380a' } })
    .png()
    .toBuffer()
  await page.getByLabel('Add files').setInputFiles({ name: 'screen.png', mimeType: 'image/png', buffer: picture })
  await page.getByRole('button', { name: 'Remove screen.png' }).waitFor()
  await page
    .getByLabel('Add files')
    .setInputFiles({ name: 'evil.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') })
  const refused = page.getByRole('alert').filter({ hasText: 'We can’t accept “evil.png”' })
  await refused.waitFor()
  expect(await axeFindings(page)).toEqual([])
  await refused.getByRole('button', { name: /^Dismiss/ }).click()
  await expect.poll(() => page.getByText('evil.png').count()).toBe(0)
  await page.reload()
  await expect.poll(() => page.getByLabel('What happened').inputValue()).toContain('**twice**')
  await page.getByRole('button', { name: 'Remove screen.png' }).waitFor()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/\/support\/\d+$/)
  const ticketId = BigInt(new URL(page.url()).pathname.split('/').at(-1) ?? '0')
  await page.locator('[data-author="user"] strong', { hasText: 'twice' }).waitFor()
  await page.getByText('<script>alert(1)</script>').waitFor()
  await page.getByRole('img', { name: 'screen.png' }).waitFor()
  expect(await page.locator('[data-about="activation"]').innerText()).toContain('Telegram')

  const other = await context.newPage()
  const live = liveOpened(other)
  await other.goto(page.url())
  await live
  await answerTicket(ctx, {
    ticketId,
    staffId,
    kind: 'staff',
    files: [],
    idempotencyKey: undefined,
    text: 'The number is **replaced**, see [your numbers](/activations).',
  })
  for (const tab of [page, other]) {
    await tab.locator('[data-author="support"]').waitFor()
    expect(await tab.locator('[data-author="support"]').count()).toBe(1)
    await expect.poll(() => tab.locator('[data-state="answered"]').count()).toBe(1)
  }
  await other.close()
  await page.getByLabel('Your reply').fill('Thank you')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => page.locator('[data-author="user"]').count()).toBe(2)
  // The message may arrive live before the reply to its request, which clears the field.
  await expect.poll(() => page.getByLabel('Your reply').inputValue()).toBe('')
  await page.getByLabel('Your reply').fill('one more thing')
  await page.reload()
  await expect.poll(() => page.getByLabel('Your reply').inputValue()).toBe('one more thing')

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${url}/support`)
  await answerTicket(ctx, {
    ticketId,
    staffId,
    kind: 'staff',
    files: [],
    idempotencyKey: undefined,
    text: 'Gladly',
  })
  // The demo's buyer has an unread answer in another ticket.
  const unread = page.getByRole('listitem').filter({ hasText: 'Problem with Telegram +7' }).first().getByText('Unread:')
  await unread.waitFor({ state: 'attached' })
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('link', { name: /^Problem with Telegram/ }).click()
  await page.getByText('Gladly').waitFor()
  expect(await axeFindings(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole('link', { name: 'All tickets' }).click()
  await page.getByRole('link', { name: /^Problem with Telegram/ }).waitFor()
  await expect.poll(() => unread.count()).toBe(0)
  await page.getByLabel('Search your tickets').fill('gladly')
  // The address changes before the page does, so the result is polled.
  await page.waitForURL(/search=gladly/)
  await expect.poll(() => page.locator('[data-ticket]').count()).toBe(1)

  await page.goto(`${url}/no/such/page`)
  await page
    .getByRole('link', { name: /support/i })
    .first()
    .click()
  await page.waitForURL(`${url}/support`)
  const refusals = /status of (?:422|404)/
  expect(complaints.filter((complaint) => !refusals.test(complaint))).toEqual([])
})
