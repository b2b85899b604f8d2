/** Measures home pages, compared with bare Fastify and react-dom, and the size of their JavaScript. */
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { PageRequest } from '#contract/page-request.ts'
import { startChild } from './parts/ask-child.ts'
import type { BareFastifyAnswers } from './parts/bare-fastify.ts'
import type { BareRenderAnswers } from './parts/bare-render.ts'
import { getRequest, type HttpConnection, openConnections } from './parts/http-connection.ts'
import { addBuyers, type Buyer } from './parts/people.ts'
import { askOnce, readyReply } from './parts/ready-reply.ts'
import { printFigures, printRatio, ratiosOf, takeTurns } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'
import { openHouse, openService, type Service } from './parts/temporary-house.ts'
import { perSecond } from './parts/work-at-once.ts'

const CLIENTS = 32
/** Rendering keeps one processor core busy, so additional clients would only wait. */
const RENDER_CLIENTS = 4
const ROUNDS = 5
const ROUND_MS = 2_000
const WARM_UP_MS = 1_500
const SCRIPTS_LIMIT_KB = 130
const ACTIVE_NUMBERS = 3
const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd', 'accept-language': 'ru,en;q=0.5' }

await runBenchmark(async (stack) => {
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))])
  const service = await openService(stack, await openHouse(stack), { name: 'pages', withPages: true })
  await measureAnonymous(stack, service)
  await measureSignedIn(stack, service)
  await weighScripts(service)
})

async function measureAnonymous(stack: AsyncDisposableStack, service: Service): Promise<void> {
  const request = getRequest('/', BROWSER)
  const page = await askOnce(service.url, request)
  const bare = stack.use(await startChild<BareFastifyAnswers>(new URL('parts/bare-fastify.ts', import.meta.url)))
  const bareUrl = await bare.ask('serve', [readyReply('/', page)])
  const bareReply = await askOnce(bareUrl, request)
  if (!bareReply.body.equals(page.body)) throw new Error('bare Fastify sends other bytes')
  const contender = async (url: string) => {
    const connections = await openConnections(stack, url, CLIENTS)
    return (forMs: number) => perSecond(connections, forMs, (connection) => expectPage(connection, request))
  }
  const ours = await contender(service.url)
  const fastify = await contender(bareUrl)
  for (const load of [ours, fastify]) await load(WARM_UP_MS)
  const found = await takeTurns(ROUNDS, { ours: () => ours(ROUND_MS), fastify: () => fastify(ROUND_MS) })
  console.log(`anonymous home, ${page.body.length} bytes, pages per second, ${CLIENTS} clients, by round`)
  printFigures('Ringpost', found.ours, '/s')
  printFigures('bare Fastify, the same bytes', found.fastify, '/s')
  printRatio('Ringpost : bare Fastify', ratiosOf(found.ours, found.fastify), { atLeast: 0.8 })
}

async function measureSignedIn(stack: AsyncDisposableStack, service: Service): Promise<void> {
  const [buyer] = await addBuyers(service.db, 1)
  if (buyer === undefined) throw new Error('there is no buyer')
  await buyNumbers(service, buyer)
  const cookie = { cookie: `auth_token=${buyer.token}` }
  const bare = stack.use(await startChild<BareRenderAnswers>(new URL('parts/bare-render.ts', import.meta.url)))
  stack.defer(() => rm(new URL('../dist/bench', import.meta.url), { recursive: true, force: true }))
  const plain = (await askOnce(service.url, getRequest('/', cookie))).body.toString()
  const page = { ...pageDataOf(plain), refused: null }
  const bareHtml = await bare.ask('prepare', { origin: service.url, token: buyer.token, page })
  expectSameTree(plain, bareHtml)
  const connections = await openConnections(stack, service.url, RENDER_CLIENTS)
  const request = getRequest('/', { ...BROWSER, ...cookie })
  const load = (forMs: number) => perSecond(connections, forMs, (connection) => expectPage(connection, request))
  await load(WARM_UP_MS)
  await bare.ask('render', WARM_UP_MS)
  const found = await takeTurns(ROUNDS, { ours: () => load(ROUND_MS), bare: () => bare.ask('render', ROUND_MS) })
  console.log(`signed-in home, ${plain.length} characters, pages per second, ${RENDER_CLIENTS} clients, by round`)
  printFigures('Ringpost, over HTTP', found.ours, '/s')
  printFigures('bare renderToString, the same tree', found.bare, '/s')
  printRatio('Ringpost : bare renderToString', ratiosOf(found.ours, found.bare), { atLeast: 0.42 })
}

async function buyNumbers(service: Service, { apiKey }: Buyer): Promise<void> {
  const query = { action: 'getNumber', api_key: apiKey, service: 'tg', country: '0', operator: 'silent' }
  for (let number = 0; number < ACTIVE_NUMBERS; number += 1) {
    const reply = await askOnce(service.url, getRequest(`/stubs/handler_api.php?${new URLSearchParams(query)}`))
    if (!reply.body.toString().startsWith('ACCESS_NUMBER')) throw new Error(`a purchase failed: ${reply.body}`)
  }
}

function pageDataOf(html: string): Omit<PageRequest, 'url' | 'api' | 'refused'> {
  const text = /<script id="page-data" type="application\/json">(.*?)<\/script>/s.exec(html)?.[1]
  if (text === undefined) throw new Error('the page came without its data')
  return JSON.parse(text)
}

function expectSameTree(html: string, bareHtml: string): void {
  if (html === bareHtml) return
  const at = [...html].findIndex((character, index) => character !== bareHtml[index])
  const around = (text: string) => text.slice(Math.max(0, at - 80), at + 80)
  throw new Error(`the trees differ:\n…${around(html)}…\n…${around(bareHtml)}…`)
}

async function weighScripts(service: Service): Promise<void> {
  const html = (await askOnce(service.url, getRequest('/'))).body.toString()
  const paths = new Set([...html.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].flatMap(([, path]) => path ?? []))
  const weights: { path: string; kilobytes: number }[] = []
  for (const path of paths) {
    const reply = await askOnce(service.url, getRequest(path, { 'accept-encoding': 'gzip' }))
    if (!/content-encoding: gzip/i.test(reply.head)) throw new Error(`${path} is not sent as gzip`)
    weights.push({ path, kilobytes: reply.body.length / 1024 })
  }
  console.log('JavaScript of the home page, gzip')
  for (const { path, kilobytes } of weights.sort((a, b) => b.kilobytes - a.kilobytes)) {
    console.log(`  ${kilobytes.toFixed(1).padStart(6)} KB  ${path}`)
  }
  const total = weights.reduce((sum, { kilobytes }) => sum + kilobytes, 0)
  const judged = total <= SCRIPTS_LIMIT_KB ? 'ok' : 'short'
  console.log(`  ${total.toFixed(1).padStart(6)} KB  in all, at most ${SCRIPTS_LIMIT_KB}: ${judged}`)
}

async function expectPage(connection: HttpConnection, request: Buffer): Promise<void> {
  const { status } = await connection.ask(request)
  if (status !== 200) throw new Error(`a page failed: ${status}`)
}
