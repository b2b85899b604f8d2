/** Measures typing, scrolling and opening dialogs on a processor that is slowed down four times. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '#test/harness/chromium.ts'
import { ROW_HEIGHT_PX } from '#web/buying/picker/row-window.ts'
import { measureDialogs } from './parts/frames/dialog-frames.ts'
import { type KeyCost, readKeys, TRACE_CATEGORIES } from './parts/frames/main-thread.ts'
import { judge, median, quantile, takeTurns } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'
import { openHouse, openService } from './parts/temporary-house.ts'

const COUNTRY_ID = 0
const ROWS = 2_000
const SLOW_DOWN = 4
const FRAME_MS = 1000 / 60
const LONGEST_FRAME_MS = 16
const COSTS = { frame: ({ frameMs }: KeyCost) => frameMs, task: ({ taskMs }: KeyCost) => taskMs }
const WORDS = ['telegram', 'mail', 'яндекс', 'zzz', 'a']
const ROUNDS = 7
const KEY_DELAY_MS = 100
/** The scrolling speed in rows per frame, which is about that of a thumb. */
const ROWS_A_FRAME = 2.5
/** A frame that takes longer than this delays the next frame, so it counts as late. */
const LATE_MS = 1.5 * FRAME_MS
const ON_TIME_SHARE = 0.95
const SEARCH = '[data-panel-search="service"]'
/** A search field without a list shows the browser's own cost. */
const BARE = '[data-bare]'
/** The list of services is the first. */
const LIST = '.picker-rows'

const LIMIT_SECONDS = 300

await runBenchmark(
  async (stack) => {
    await promisify(execFile)(process.execPath, [fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))])
    const service = await openService(stack, await openHouse(stack), { name: 'frames', withPages: true })
    await service.process.ask('sellEverything', { countryId: COUNTRY_ID })
    const browser = stack.adopt(await launchBrowser(), (open) => open.close())
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const wholeList = page.waitForResponse((response) => response.url().includes('load=all'))
    await page.goto(service.url, { waitUntil: 'networkidle' })
    await page.locator(SEARCH).focus()
    const { count } = (await (await wholeList).json()) as { count: number }
    if (count < ROWS) throw new Error(`the list has ${count} rows`)
    await page.evaluate(() => {
      const bare = document.createElement('input')
      bare.dataset.bare = ''
      document.querySelector('main')?.prepend(bare)
    })
    report(
      await takeTurns(ROUNDS, {
        'a field that does nothing': () => typeSlowly(browser, page, BARE),
        'the search': () => typeSlowly(browser, page, SEARCH),
      }),
      count,
    )
    await measureScroll(page, count)
    await measureDialogs(browser, service.url, SLOW_DOWN)
  },
  { limitSeconds: LIMIT_SECONDS },
)

async function typeSlowly(browser: Browser, page: Page, field: string): Promise<KeyCost[]> {
  await page.locator(field).focus()
  await typeWords(page, field)
  await slowDown(page, SLOW_DOWN)
  await browser.startTracing(page, { categories: TRACE_CATEGORIES })
  await typeWords(page, field)
  const keys = readKeys(await browser.stopTracing())
  await slowDown(page, 1)
  return keys
}

function report(fields: Record<string, KeyCost[][]>, count: number): void {
  console.log(`typing in the search of ${count} services, processor ${SLOW_DOWN} times slower, ${ROUNDS} rounds; ms`)
  for (const [name, rounds] of Object.entries(fields)) {
    for (const [what, of] of Object.entries(COSTS)) {
      const all = rounds.flat().map(of)
      const slowest = slowestKey(rounds.map((keys) => keys.map(of)))
      const [usual, most, worst] = [median(all), quantile(all, 0.95), slowest].map((ms) => ms.toFixed(1))
      const judged =
        name === 'the search' && what === 'frame' ? `, ${judge(slowest, { atMost: LONGEST_FRAME_MS })}` : ''
      console.log(
        `  ${name.padEnd(26)} ${what.padEnd(6)} median ${usual}   p95 ${most}   slowest key ${worst}${judged}`,
      )
    }
  }
}

/**
 * Returns the time of the slowest key press. The time of each key press is its median over the rounds, to remove noise.
 */
function slowestKey(rounds: number[][]): number {
  const keys = rounds[0]?.map((_, key) => median(rounds.map((round) => round[key] ?? Number.NaN))) ?? []
  return quantile(keys, 1)
}

async function typeWords(page: Page, selector: string): Promise<void> {
  const field = page.locator(selector)
  for (const word of WORDS) {
    await field.pressSequentially(word, { delay: KEY_DELAY_MS })
    for (const _letter of word) await field.press('Backspace', { delay: KEY_DELAY_MS })
  }
}

async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

async function measureScroll(page: Page, count: number): Promise<void> {
  const found = await page
    .locator(LIST)
    .first()
    .evaluate(scrollThrough, ROW_HEIGHT_PX * ROWS_A_FRAME)
  if (Math.floor(found.endPx / ROW_HEIGHT_PX) < count) throw new Error(`the scroll ended at ${found.endPx} px`)
  const onTime = found.framesMs.filter((ms) => ms <= LATE_MS).length / found.framesMs.length
  console.log(`scrolling through ${count} services, ${ROWS_A_FRAME} rows a frame, ${found.framesMs.length} frames`)
  console.log(
    `  longest ${quantile(found.framesMs, 1).toFixed(1)} ms; frames in which a row was missing: ${found.gaps}`,
  )
  console.log(`  share on time ${onTime.toFixed(3)}, ${judge(onTime, { atLeast: ON_TIME_SHARE })}`)
}

/** Scrolls through a list and counts gaps, which are frames whose middle showed no row. */
async function scrollThrough(list: Element, stepPx: number) {
  const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const { left, top, width, height } = list.getBoundingClientRect()
  const framesMs: number[] = []
  let gaps = 0
  let before = await nextFrame()
  // The list may still grow when its end is reached, so scrolling waits some frames.
  for (let still = 0; still < 10; ) {
    const from = list.scrollTop
    list.scrollTop += stepPx
    const now = await nextFrame()
    framesMs.push(now - before)
    before = now
    still = list.scrollTop === from ? still + 1 : 0
    if (document.elementFromPoint(left + width / 3, top + height / 2)?.closest('.picker-row') === null) gaps += 1
  }
  return { framesMs, gaps, endPx: list.scrollTop + list.clientHeight }
}
