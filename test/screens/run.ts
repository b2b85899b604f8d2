import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { demoBuyer } from '#server/programs/demo/fill-demo.ts'
import { startNewDemo } from '#test/e2e/support/demo-process.ts'
import { screenAddresses } from '#test/e2e/support/site-addresses.ts'
import { launchBrowser } from '#test/harness/chromium.ts'

const WIDTHS = [1440, 1024, 390, 320]
const LOOKS = ['light', 'dark'].flatMap((theme) => ['ru', 'en'].map((locale) => ({ theme, locale })))
const MAX_HEIGHT_PX = 2_400

type Shot = { path: string; width: number; theme: string; locale: string; file: string }

const USAGE = 'npm run screens -- [--folder screens] [part of a path ...]'
const { values, positionals } = parseArgs({
  options: { folder: { type: 'string', default: 'screens' } },
  allowPositionals: true,
})
const folder = resolve(values.folder)
await using demo = await startNewDemo()
await using browser = await launchBrowser()
const shots = [...(await shootAll('public')), ...(await shootAll('signed-in'))]
if (shots.length === 0) throw new Error(`no screen has such a path: ${USAGE}`)
await writeFile(join(folder, 'index.html'), pageOf(shots))
console.log(`${shots.length} screens in ${join(folder, 'index.html')}`)

async function shootAll(access: 'public' | 'signed-in'): Promise<Shot[]> {
  const home = access === 'public' ? [] : ['/', '/?service=tg&country=2']
  const paths = [...home, ...screenAddresses(access, 1)].filter(
    (path) => positionals.length === 0 || positionals.some((part) => path.includes(part)),
  )
  const found: Shot[] = []
  for (const look of LOOKS) {
    const page = await openPage(browser, look, access)
    for (const path of paths) found.push(...(await shootPath(page, { path, access, ...look })))
    await page.context().close()
  }
  return found
}

async function openPage(from: Browser, look: { theme: string; locale: string }, access: string): Promise<Page> {
  const context = await from.newContext({ reducedMotion: 'reduce' })
  await context.addCookies(Object.entries(look).map(([name, value]) => ({ name, value, url: demo.url })))
  const page = await context.newPage()
  if (access === 'signed-in') {
    const reply = await page.request.post(`${demo.url}/api/login`, { data: demoBuyer })
    if (!reply.ok()) throw new Error(`the demo's buyer could not sign in: ${reply.status()}`)
  }
  return page
}

async function shootPath(
  page: Page,
  { path, access, theme, locale }: Omit<Shot, 'width' | 'file'> & { access: string },
): Promise<Shot[]> {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(demo.url + path, { waitUntil: 'networkidle' })
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  const found: Shot[] = []
  const name = path.replaceAll(/[^\w]+/g, '-').replaceAll(/^-|-$/g, '') || 'home'
  await mkdir(join(folder, `${name}-${access}`), { recursive: true })
  for (const width of WIDTHS) {
    const file = `${name}-${access}/${width}-${theme}-${locale}.png`
    await page.setViewportSize({ width, height: width > 1_000 ? 900 : 844 })
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    // A bar at the window's lower edge would cover the middle of a picture that is higher than its window.
    await page.setViewportSize({ width, height: Math.min(height, MAX_HEIGHT_PX) })
    await page.screenshot({ path: join(folder, file) })
    found.push({ path, width, theme, locale, file })
  }
  return found
}

function pageOf(all: readonly Shot[]): string {
  const byPath = Map.groupBy(all, ({ file }) => file.split('/')[0] ?? '')
  const parts = [...byPath].map(([name, found]) => {
    const figures = found.map(
      ({ file, width, theme, locale }) =>
        `<figure><a href="${file}"><img src="${file}" loading="lazy" width="${Math.round(width / 4)}" alt=""></a>
<figcaption>${width} ${theme} ${locale}</figcaption></figure>`,
    )
    return `<h2>${name}</h2><div>${figures.join('\n')}</div>`
  })
  return `<!doctype html><meta charset="utf-8"><title>Screens</title>
<style>body{font:14px system-ui;margin:24px}div{display:flex;flex-wrap:wrap;gap:12px;align-items:start}figure{margin:0}img{border:1px solid #ccc}</style>
<h1>Screens</h1>${parts.join('\n')}`
}
