import { expect, test } from 'vitest'
import { browser } from './support/browser.ts'
import { startNewDemo } from './support/demo-process.ts'

type Manifest = { start_url: string; display: string; icons: { src: string; sizes: string; type: string }[] }

test('the site can be installed, and says so when there is no connection', async () => {
  await using server = await startNewDemo()
  await using visit = await browser.open(server.url, { worker: true })
  const { page } = visit
  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const reply = await fetch(new URL(href ?? '', server.url))
  expect(reply.headers.get('content-type')).toContain('application/manifest+json')
  const manifest = (await reply.json()) as Manifest
  expect(manifest).toMatchObject({ start_url: '/', display: 'standalone' })
  const sizes = await page.evaluate(async (icons) => {
    const drawn = []
    for (const { src, sizes } of icons) {
      const image = new Image()
      image.src = src
      await image.decode()
      drawn.push([src, sizes === 'any' ? sizes : `${image.naturalWidth}x${image.naturalHeight}`])
    }
    return drawn
  }, manifest.icons)
  expect(sizes).toEqual(manifest.icons.map(({ src, sizes }) => [src, sizes]))
  expect((await fetch(`${server.url}/share.png`)).headers.get('content-type')).toBe('image/png')

  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  const kept = await page.evaluate(async () => {
    const [name = ''] = await caches.keys()
    return (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)
  })
  expect(kept.sort()).toEqual(['/favicon.svg', '/offline.css', '/offline.en.html', '/offline.js'])
  // The first page was loaded before the service worker was installed, so a reload goes through the worker.
  await page.reload()
  expect(visit.complaints).toEqual([])
  await server[Symbol.asyncDispose]()
  await page.goto(`${server.url}/price`)
  await page.getByRole('heading', { name: 'No connection' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/price')
  expect(await page.evaluate(() => getComputedStyle(document.body).display)).toBe('grid')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
})
