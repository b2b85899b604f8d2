/** Measures polls and the price list of handler_api, compared with a bare SELECT and with ready-made bytes. */
import { startChild } from './parts/ask-child.ts'
import type { BareFastifyAnswers } from './parts/bare-fastify.ts'
import { getRequest, type HttpConnection, openConnections } from './parts/http-connection.ts'
import { addBuyers } from './parts/people.ts'
import type { BareSelectAnswers } from './parts/polls/bare-select.ts'
import { askOnce, readyReply } from './parts/ready-reply.ts'
import { printFigures, printRatio, ratiosOf, takeTurns } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'
import { CONNECTIONS, openHouse, openService, type Service } from './parts/temporary-house.ts'
import { perSecond } from './parts/work-at-once.ts'

const CLIENTS = 32
/** Rounds are short and many: on a busy machine, long rounds differ by half. */
const ROUNDS = 41
const ROUND_MS = 250
const WARM_UP_MS = 1_500
const COUNTRY_ID = 0
const LIMIT_SECONDS = 240
const GZIP = { 'accept-encoding': 'gzip' }

type Contender = { url: string; path: string; headers?: Record<string, string> }
type Pair = { what: string; ours: Contender; bare: Contender; status: number; atLeast: number }

await runBenchmark(
  async (stack) => {
    const service = await openService(stack, await openHouse(stack), { name: 'handler_api' })
    const [buyer] = await addBuyers(service.db, 1)
    if (buyer === undefined) throw new Error('there is no buyer')
    const path = (action: string, more = '') => `/stubs/handler_api.php?api_key=${buyer.apiKey}&action=${action}${more}`
    const bought = await ask(service, path('getNumber', '&service=tg&country=2&operator=silent'))
    const id = /^ACCESS_NUMBER:(\d+):/.exec(bought)?.[1]
    if (id === undefined) throw new Error(`no number was bought: ${bought}`)
    await service.process.ask('sellEverything', { countryId: COUNTRY_ID })
    const status = {
      ours: path('getStatus', `&id=${id}`),
      text: 'SELECT state, code FROM activations WHERE id = $1 AND user_id = $2',
    }
    const balance = { ours: path('getBalance'), text: 'SELECT available_micros FROM accounts WHERE user_id = $1' }
    const select = stack.use(
      await startChild<BareSelectAnswers>(new URL('parts/polls/bare-select.ts', import.meta.url)),
    )
    const selectUrl = await select.ask('serve', {
      databaseUrl: service.databaseUrl,
      connections: CONNECTIONS,
      selects: [
        {
          path: '/status',
          name: 'status',
          text: status.text,
          values: [id, buyer.userId],
          reply: await ask(service, status.ours),
        },
        {
          path: '/balance',
          name: 'balance',
          text: balance.text,
          values: [buyer.userId],
          reply: await ask(service, balance.ours),
        },
      ],
    })
    const prices = await askOnce(service.url, getRequest(path('getPrices'), GZIP))
    const known = { ...GZIP, 'if-none-match': /\r\netag: *(\S+)/i.exec(prices.head)?.[1] ?? '' }
    const unchanged = await askOnce(service.url, getRequest(path('getPrices'), known))
    const bytes = stack.use(await startChild<BareFastifyAnswers>(new URL('parts/bare-fastify.ts', import.meta.url)))
    const bytesUrl = await bytes.ask('serve', [readyReply('/prices', prices), readyReply('/unchanged', unchanged)])
    console.log(`getPrices: ${prices.body.length} bytes packed`)
    const of = (url: string, itsPath: string, headers: Record<string, string> = {}) => ({ url, path: itsPath, headers })
    const pairs: Pair[] = [
      {
        what: 'getStatus',
        ours: of(service.url, status.ours),
        bare: of(selectUrl, '/status'),
        status: 200,
        atLeast: 0.7,
      },
      {
        what: 'getBalance',
        ours: of(service.url, balance.ours),
        bare: of(selectUrl, '/balance'),
        status: 200,
        atLeast: 0.7,
      },
      {
        what: 'getPrices of everything',
        status: 200,
        atLeast: 0.9,
        ours: of(service.url, path('getPrices'), GZIP),
        bare: of(bytesUrl, '/prices', GZIP),
      },
      {
        what: 'getPrices of everything, known',
        status: 304,
        atLeast: 0.9,
        ours: of(service.url, path('getPrices'), known),
        bare: of(bytesUrl, '/unchanged', known),
      },
    ]
    await service.process.ask('collectGarbage', undefined)
    for (const pair of pairs) await compare(stack, pair)
  },
  { limitSeconds: LIMIT_SECONDS },
)

async function ask({ url }: Service, path: string): Promise<string> {
  return (await askOnce(url, getRequest(path))).body.toString()
}

async function compare(stack: AsyncDisposableStack, { what, ours, bare, status, atLeast }: Pair): Promise<void> {
  const load = async ({ url, path, headers }: Contender) => {
    const connections = await openConnections(stack, url, CLIENTS)
    const request = getRequest(path, headers)
    return (forMs: number) => perSecond(connections, forMs, (connection) => expectStatus(connection, request, status))
  }
  const loads = { ours: await load(ours), bare: await load(bare) }
  for (const warmUp of Object.values(loads)) await warmUp(WARM_UP_MS)
  const found = await takeTurns(ROUNDS, { ours: () => loads.ours(ROUND_MS), bare: () => loads.bare(ROUND_MS) })
  console.log(`${what}: replies per second, ${CLIENTS} clients, by round`)
  printFigures('Ringpost', found.ours, '/s')
  printFigures('bare Fastify', found.bare, '/s')
  printRatio('Ringpost : bare Fastify', ratiosOf(found.ours, found.bare), { atLeast })
}

async function expectStatus(connection: HttpConnection, request: Buffer, status: number): Promise<void> {
  const reply = await connection.ask(request)
  if (reply.status !== status) throw new Error(`the reply is ${reply.status} ${reply.body}`)
}
