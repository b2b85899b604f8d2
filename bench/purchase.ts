/** Purchases per second over HTTP against the same SQL by bare `pg`, with small and large tables. */
import type { Db } from '#server/db/pool.ts'
import { reserve, settleBought } from '#server/numbers/activations/queries/purchase.ts'
import { getRequest, type HttpConnection, openConnections } from './parts/http-connection.ts'
import { addPastActivations } from './parts/past/past-activations.ts'
import { addBuyers, type Buyer } from './parts/people.ts'
import { printFigures, printRatio, ratiosOf, takeTurns } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'
import { type House, openHouse, openService, type Service } from './parts/temporary-house.ts'
import { perSecond } from './parts/work-at-once.ts'

const CLIENTS = 32
/** An account with a thousand open numbers may not buy another. */
const ACCOUNTS_PER_CLIENT = 16
const ROUNDS = 7
/** A million activations are stored first. */
const LIMIT_SECONDS = 400
const ROUND_MS = 2_000
const WARM_UP_MS = 1_000
const FEW = 10_000
const MANY = 1_000_000
/** The silent operator sends no message, so the purchase alone is timed. */
const OPERATOR = 'silent'
const SERVICE = 'tg'
const COUNTRY = 0
/** The statements of one purchase; `checkStatements` compares them with the service's. */
const STATEMENTS = ['activation-reserve', 'activation-settle']

await runBenchmark(
  async (stack) => {
    const house = await openHouse(stack)
    const few = await openShop(stack, house, { name: 'few', past: FEW })
    const many = await openShop(stack, house, { name: 'many', past: MANY })
    // Seeding takes longer than the service keeps an idle connection.
    for (const shop of [few, many]) await connect(stack, shop)
    await checkStatements(few)
    for (const shop of [few, many]) {
      await buyOverHttp(shop, WARM_UP_MS)
      await buyBarely(shop, WARM_UP_MS)
    }
    // Bare pg buys from both, so that both tables grow alike.
    const found = await takeTurns(ROUNDS, {
      http: () => buyOverHttp(few, ROUND_MS),
      bare: () => buyBarely(few, ROUND_MS),
      httpMany: () => buyOverHttp(many, ROUND_MS),
      bareMany: () => buyBarely(many, ROUND_MS),
    })
    console.log(`purchases per second, ${CLIENTS} clients, by round`)
    printFigures(`over HTTP, ${FEW} activations`, found.http, '/s')
    printFigures(`bare pg, ${FEW} activations`, found.bare, '/s')
    printFigures(`over HTTP, ${MANY} activations`, found.httpMany, '/s')
    printFigures(`bare pg, ${MANY} activations`, found.bareMany, '/s')
    printRatio(`over HTTP : bare pg, ${FEW} activations`, ratiosOf(found.http, found.bare), { atLeast: 0.5 })
    printRatio(`over HTTP : bare pg, ${MANY} activations`, ratiosOf(found.httpMany, found.bareMany), { atLeast: 0.5 })
    printRatio(`over HTTP, ${MANY} : ${FEW} activations`, ratiosOf(found.httpMany, found.http), { atLeast: 0.9 })
  },
  { limitSeconds: LIMIT_SECONDS },
)

type Account = { buyer: Buyer; request: Buffer }
type Shopper = { connection: HttpConnection; accounts: Account[]; purchases: number }
type Shop = Service & { buyers: Buyer[]; shoppers: Shopper[] }

async function openShop(
  stack: AsyncDisposableStack,
  house: House,
  { name, past }: { name: string; past: number },
): Promise<Shop> {
  const service = await openService(stack, house, { name })
  await service.process.ask('leaveReservations', undefined)
  const buyers = await addBuyers(service.db, CLIENTS * ACCOUNTS_PER_CLIENT)
  const first = buyers[0]
  if (first === undefined) throw new Error('there are no buyers')
  await addPastActivations(service.superuserUrl, { total: past, buyerId: first.userId, ofBuyer: past / 10 })
  return { ...service, buyers, shoppers: [] }
}

async function connect(stack: AsyncDisposableStack, shop: Shop): Promise<void> {
  const connections = await openConnections(stack, shop.url, CLIENTS)
  shop.shoppers = connections.map((connection, client) => {
    const own = shop.buyers.slice(client * ACCOUNTS_PER_CLIENT, (client + 1) * ACCOUNTS_PER_CLIENT)
    return { connection, purchases: 0, accounts: own.map((buyer) => ({ buyer, request: getNumberRequest(buyer) })) }
  })
}

function getNumberRequest({ apiKey }: Buyer): Buffer {
  const query = { action: 'getNumber', api_key: apiKey, service: SERVICE, country: String(COUNTRY), operator: OPERATOR }
  return getRequest(`/stubs/handler_api.php?${new URLSearchParams(query)}`)
}

function buyOverHttp({ shoppers }: Shop, forMs: number): Promise<number> {
  return perSecond(shoppers, forMs, buyOnce)
}

function nextAccount(shopper: Shopper): Account {
  const account = shopper.accounts[shopper.purchases % ACCOUNTS_PER_CLIENT]
  if (account === undefined) throw new Error('a client has no account')
  shopper.purchases += 1
  return account
}

async function buyOnce(shopper: Shopper): Promise<void> {
  const { status, body } = await shopper.connection.ask(nextAccount(shopper).request)
  const text = body.toString()
  if (status !== 200 || !text.startsWith('ACCESS_NUMBER:')) throw new Error(`a purchase failed: ${status} ${text}`)
}

function buyBarely({ db, shoppers }: Shop, forMs: number): Promise<number> {
  return perSecond(shoppers, forMs, (shopper) => issueStatements(db, nextAccount(shopper).buyer))
}

async function issueStatements(db: Db, { userId }: Buyer): Promise<void> {
  const now = new Date()
  const reserved = await reserve(db, {
    userId,
    serviceCode: SERVICE,
    countryId: COUNTRY,
    operatorWanted: OPERATOR,
    priceMicros: 12_500_000n,
    currency: 'rub',
    supplierId: 1,
    costLimitMicros: 10_000_000n,
    costCurrency: 'rub',
    excludedPrefixes: [],
    channel: 'handler_api',
    idempotencyKey: null,
    inputHash: null,
    limits: { openNumbers: 1000, daySpendMicros: null },
    now,
    expiresAt: new Date(now.getTime() + 1_200_000),
  })
  if (reserved === null) throw new Error('bare pg could not reserve')
  const settled = await settleBought(db, {
    id: reserved.id,
    attempt: 1,
    // No number of the simulator begins so.
    phone: `99${reserved.id}`,
    operator: OPERATOR,
    supplierReference: `${reserved.id}-1`,
    costMicros: 10_000_000n,
    family: SERVICE,
    sendersKnown: true,
    now,
  })
  if (settled === null) throw new Error('bare pg could not settle')
}

/** The ratio is meaningless unless both issue the same statements. */
async function checkStatements(shop: Shop): Promise<void> {
  const purchases = 100
  const shopper = shop.shoppers[0]
  if (shopper === undefined) throw new Error('there are no shoppers')
  await shop.process.ask('writeDownStatements', undefined)
  for (let purchase = 0; purchase < purchases; purchase += 1) await buyOnce(shopper)
  const issued = await shop.process.ask('statements', undefined)
  const counts = Map.groupBy(issued, ({ name, text }) => name ?? text)
  // Rarer statements are the service's own: its sweeps, and API key look-ups each second.
  const each = [...counts].filter(([, times]) => times.length >= purchases / 2).map(([statement]) => statement)
  if (each.sort().join() !== STATEMENTS.toSorted().join()) {
    throw new Error(`a purchase issues ${each.join(', ')}, bare pg ${STATEMENTS.join(', ')}: make them the same`)
  }
}
