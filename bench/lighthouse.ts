/** Measures the Lighthouse scores of four landing pages on Lighthouse's standard slow phone. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import lighthouse, { type Result } from 'lighthouse'
import { findChromium } from '#test/harness/chromium.ts'
import { judge, median } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'
import { openHouse, openService } from './parts/temporary-house.ts'

const PAGES = { home: '/', price: '/price', service: '/service/telegram', article: '/blog/guides/rent-or-one-code' }
/** The number of visits per page. The median counts, because a single score depends on the machine's load. */
const VISITS = 5
const TARGETS = { performance: 95, accessibility: 100, 'best-practices': 95, seo: 100 } as const
const LIMIT_SECONDS = 600
/** These flags keep the browser from talking to anything but the service. */
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']

type Category = keyof typeof TARGETS
const CATEGORIES: readonly Category[] = ['performance', 'accessibility', 'best-practices', 'seo']

await runBenchmark(
  async (stack) => {
    await promisify(execFile)(process.execPath, [fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))])
    // A demo is not indexed by default, which would lower the SEO score.
    const environment = { INDEXING: 'index' }
    const service = await openService(stack, await openHouse(stack), { name: 'scores', withPages: true, environment })
    const port = await openChromium(stack)
    for (const [name, path] of Object.entries(PAGES)) await judgePage(name, new URL(path, service.url), port)
  },
  { limitSeconds: LIMIT_SECONDS },
)

async function judgePage(name: string, url: URL, port: number): Promise<void> {
  const visits: Result[] = []
  for (let visit = 0; visit < VISITS; visit += 1) {
    const found = await lighthouse(url.href, { port, onlyCategories: [...CATEGORIES], logLevel: 'error' })
    if (found === undefined) throw new Error(`nothing was found out about ${url}`)
    if (found.lhr.runtimeError !== undefined) throw new Error(`${url}: ${found.lhr.runtimeError.message}`)
    visits.push(found.lhr)
  }
  console.log(`${name}, ${url.pathname}`)
  for (const category of CATEGORIES) {
    const scores = visits.map(({ categories }) => Math.round((categories[category]?.score ?? 0) * 100))
    const judged = judge(median(scores), { atLeast: TARGETS[category] })
    console.log(`  ${category.padEnd(16)} ${scores.join('  ')}   median ${median(scores)}, ${judged}`)
  }
  const [last] = visits.slice(-1)
  if (last !== undefined) for (const line of shortcomings(last)) console.log(`    ${line}`)
}

function shortcomings({ audits, categories }: Result): string[] {
  return CATEGORIES.flatMap((category) =>
    (categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const audit = audits[id]
      if (audit === undefined || weight === 0 || audit.score === null || audit.score >= 0.9) return []
      const measured = audit.displayValue === undefined ? '' : `: ${audit.displayValue}`
      return [`${category}: ${id} (weight ${weight}, ${audit.score})${measured}`]
    }),
  )
}

async function openChromium(stack: AsyncDisposableStack): Promise<number> {
  const profile = await mkdtemp(join(tmpdir(), 'ringpost-lighthouse-'))
  stack.defer(() => rm(profile, { recursive: true, force: true }))
  const args = [...FLAGS, `--user-data-dir=${profile}`, '--remote-debugging-port=0', 'about:blank']
  const child = spawn(await findChromium(), args, { stdio: ['ignore', 'ignore', 'pipe'] })
  stack.defer(() => endOf(child))
  const { promise: port, resolve, reject } = Promise.withResolvers<number>()
  child.once('error', reject)
  child.once('exit', () => reject(new Error('Chromium ended')))
  // A pipe that nobody reads would block the browser.
  createInterface({ input: child.stderr }).on('line', (line) => {
    const said = /^DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(line)?.[1]
    if (said !== undefined) resolve(Number(said))
  })
  return port
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}
