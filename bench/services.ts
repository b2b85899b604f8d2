/** Measures the list of services, compared with bare Fastify that sends the same compressed bytes. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { ServicesReply } from '#contract/catalog.ts'
import { insertFavorite } from '#server/core/catalog/favorites/queries.ts'
import { startChild } from './parts/ask-child.ts'
import type { BareFastifyAnswers } from './parts/bare-fastify.ts'
import { getRequest, type HttpConnection, type HttpReply, openConnections } from './parts/http-connection.ts'
import { addBuyers } from './parts/people.ts'
import { askOnce, readyReply } from './parts/ready-reply.ts'
import { printFigures, printRatio, ratiosOf, type Target, takeTurns } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'
import { openHouse, openService, type Service } from './parts/temporary-house.ts'
import { perSecond } from './parts/work-at-once.ts'

const COUNTRY_ID = 0
const LIST = `/api/services?country_id=${COUNTRY_ID}&load=all`
const ROWS = 2_000
const FAVORITES = 30
const CLIENTS = 32
/** Rounds are short and many: on a busy machine, long rounds differ by half. */
const ROUNDS = 11
const ROUND_MS = 250
const WARM_UP_MS = 800
/** Browsers accept the encoding br over HTTPS only. */
const HTTP_BROWSER = { 'accept-encoding': 'gzip, deflate', locale: 'ru', zone: 'ru' }
const HTTPS_BROWSER = { ...HTTP_BROWSER, 'accept-encoding': 'gzip, deflate, br, zstd' }
const ELSEWHERE = { 'x-forwarded-host': '127.0.0.1' }

type Asker = { what: string; headers: Record<string, string>; status: number; target: Target | null }

await runBenchmark(async (stack) => {
  const service = await openService(stack, await openHouse(stack), { name: 'services' })
  await service.process.ask('sellEverything', { countryId: COUNTRY_ID })
  const askers = await gatherAskers(service)
  await service.process.ask('collectGarbage', undefined)
  const replies = await Promise.all(
    askers.map(async (asker, index) => readyReply(`/${index}`, await expectList(service, asker))),
  )
  const bare = stack.use(await startChild<BareFastifyAnswers>(new URL('parts/bare-fastify.ts', import.meta.url)))
  const bareUrl = await bare.ask('serve', replies)
  const ours = await openConnections(stack, service.url, CLIENTS)
  const fastify = await openConnections(stack, bareUrl, CLIENTS)
  for (const [index, asker] of askers.entries()) {
    const query = LIST.slice(LIST.indexOf('?'))
    const bareReply = await askOnce(bareUrl, getRequest(`/${index}${query}`, asker.headers))
    if (!bareReply.body.equals(Buffer.from(replies[index]?.body ?? '')))
      throw new Error('bare Fastify sends other bytes')
    const load = (connections: HttpConnection[], path: string) => {
      const request = getRequest(path, asker.headers)
      return (forMs: number) => perSecond(connections, forMs, (connection) => expectStatus(connection, request, asker))
    }
    const loads = { ours: load(ours, LIST), fastify: load(fastify, `/${index}${query}`) }
    for (const warmUp of Object.values(loads)) await warmUp(WARM_UP_MS)
    const found = await takeTurns(ROUNDS, { ours: () => loads.ours(ROUND_MS), fastify: () => loads.fastify(ROUND_MS) })
    console.log(`${asker.what}: ${bareReply.body.length} bytes, replies per second, ${CLIENTS} clients, by round`)
    printFigures('Ringpost', found.ours, '/s')
    printFigures('bare Fastify, the same bytes', found.fastify, '/s')
    printRatio('Ringpost : bare Fastify', ratiosOf(found.ours, found.fastify), asker.target)
  }
})

async function gatherAskers(service: Service): Promise<Asker[]> {
  const [plain, fond] = await addBuyers(service.db, 2)
  if (plain === undefined || fond === undefined) throw new Error('there are no buyers')
  const { services } = readList(await askOnce(service.url, getRequest(LIST, HTTP_BROWSER)))
  const priced = services.filter(({ price }) => price !== null)
  console.log(`${services.length} services, ${priced.length} of them with a price`)
  if (priced.length < ROWS) throw new Error('there are not enough prices')
  for (const { id } of services.slice(0, FAVORITES)) {
    const favorite = { mode: 'activation', kind: 'service', subjectId: id } as const
    await insertFavorite(service.db, { ...favorite, userId: fond.userId, limit: FAVORITES, now: new Date() })
  }
  const visitor = { what: 'a visitor, gzip', headers: HTTP_BROWSER, status: 200, target: { atLeast: 0.7 } }
  const { head } = await askOnce(service.url, getRequest(LIST, HTTPS_BROWSER))
  const etag = /\r\netag: *(\S+)/i.exec(head)?.[1] ?? ''
  const buyer = { status: 200, target: { atLeast: 0.5 } }
  const bearer = (token: string) => ({ ...HTTPS_BROWSER, authorization: `Bearer ${token}` })
  return [
    visitor,
    { ...visitor, what: 'a visitor, br', headers: HTTPS_BROWSER },
    { ...visitor, what: 'a visitor who has it', headers: { ...HTTPS_BROWSER, 'if-none-match': etag }, status: 304 },
    { ...buyer, what: 'a buyer without favourites', headers: bearer(plain.token) },
    { ...buyer, what: `a buyer with ${FAVORITES} favourites`, headers: bearer(fond.token) },
    // Replies to requests with this header are never cached, so the figure is the cost of a first request.
    { ...buyer, what: 'the same, looked up each time', headers: { ...bearer(fond.token), ...ELSEWHERE }, target: null },
  ]
}

async function expectList(service: Service, { headers, status }: Asker): Promise<HttpReply> {
  const reply = await askOnce(service.url, getRequest(LIST, headers))
  if (reply.status !== status) throw new Error(`the list answers ${reply.status} ${reply.head}`)
  if (status === 200 && readList(reply).services.length < ROWS) throw new Error('the list is not whole')
  return reply
}

async function expectStatus(connection: HttpConnection, request: Buffer, { status }: Asker): Promise<void> {
  const reply = await connection.ask(request)
  if (reply.status !== status) throw new Error(`the list answers ${reply.status}`)
}

function readList({ head, body }: HttpReply): ServicesReply {
  const encoding = /\r\ncontent-encoding: *(\S+)/i.exec(head)?.[1]
  const unpacked = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body
  return JSON.parse(unpacked.toString())
}
