/** Measures purchases per second over HTTP with small and large tables, compared with bare `pg`. */
import { buyBarely, openBareBooks } from './parts/bare/bare-books.ts'
import { getRequest, type HttpConnection, openConnections } from './parts/http-connection.ts'
import { addPastActivations } from './parts/past/past-activations.ts'
import { addBuyers, type Buyer } from './parts/people.ts'
import { printFigures, printRatio, ratiosOf, takeTurns } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'
import { type House, openHouse, openService, type Service } from './parts/temporary-house.ts'
import { perSecond } from './parts/work-at-once.ts'

const CLIENTS = 32
/** An account with a thousand active numbers may not buy more, so each client spreads purchases over accounts. */
const ACCOUNTS_PER_CLIENT = 16
const ROUNDS = 7
/** A million activations are stored first, which takes long. */
const LIMIT_SECONDS = 400
const ROUND_MS = 2_000
const WARM_UP_MS = 1_000
const FEW = 10_000
const MANY = 1_000_000
/** The simulator's silent operator sends no messages, so only the purchase is timed. */
const OPERATOR = 'silent'
const SERVICE = 'tg'
const COUNTRY = 0

await runBenchmark(
  async (stack) => {
    const house = await openHouse(stack)
    const few = await openShop(stack, house, { name: 'few', past: FEW })
    const many = await openShop(stack, house, { name: 'many', past: MANY })
    // Filling the tables takes longer than the service keeps an idle connection, so connections are opened late.
    for (const shop of [few, many]) await connect(stack, shop)
    for (const shop of [few, many]) {
      await buyOverHttp(shop, WARM_UP_MS)
      await buyInBareBooks(shop, WARM_UP_MS)
    }
    const found = await takeTurns(ROUNDS, {
      http: () => buyOverHttp(few, ROUND_MS),
      bare: () => buyInBareBooks(few, ROUND_MS),
      httpMany: () => buyOverHttp(many, ROUND_MS),
      bareMany: () => buyInBareBooks(many, ROUND_MS),
    })
    console.log(`purchases per second, ${CLIENTS} clients, by round`)
    printFigures(`over HTTP, ${FEW} activations`, found.http, '/s')
    printFigures(`bare pg, ${FEW} activations`, found.bare, '/s')
    printFigures(`over HTTP, ${MANY} activations`, found.httpMany, '/s')
    printFigures(`bare pg, ${MANY} activations`, found.bareMany, '/s')
    printRatio(`over HTTP : bare pg, ${FEW} activations`, ratiosOf(found.http, found.bare), { atLeast: 0.65 })
    printRatio(`over HTTP : bare pg, ${MANY} activations`, ratiosOf(found.httpMany, found.bareMany), { atLeast: 0.65 })
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
  const buyers = await addBuyers(service.db, CLIENTS * ACCOUNTS_PER_CLIENT)
  const first = buyers[0]
  if (first === undefined) throw new Error('there are no buyers')
  await addPastActivations(service.superuserUrl, { total: past, buyerId: first.userId, ofBuyer: past / 10 })
  await openBareBooks(service.db, { userIds: buyers.map(({ userId }) => userId), past })
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

function buyInBareBooks({ db, shoppers }: Shop, forMs: number): Promise<number> {
  return perSecond(shoppers, forMs, (shopper) => buyBarely(db, nextAccount(shopper).buyer.userId))
}
