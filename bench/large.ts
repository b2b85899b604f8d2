/** Compares purchases in a table of ten million activations with a small one, and shows the plans of hot statements there. */
import pg from 'pg'
import { SECOND } from '#contract/time.ts'
import { getRequest, HttpConnection } from './parts/http-connection.ts'
import type { Statement } from './parts/measured-service.ts'
import { nextMessage } from './parts/one-message.ts'
import { addPastActivations } from './parts/past/past-activations.ts'
import { addBuyers, type Buyer } from './parts/people.ts'
import { explain } from './parts/query-plan.ts'
import { printFigures, printRatio, ratiosOf, takeTurns } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'
import { ACCOUNTS_PER_CLIENT, CLIENTS, openShoppers, type Shoppers } from './parts/shoppers.ts'
import { type House, openHouse, openService, type Service } from './parts/temporary-house.ts'

const FEW = 10_000
const MANY = 10_000_000
const OF_BUYER = 1_000
const ROUNDS = 11
const EACH = 32
/** Filling the large table takes most of the time. */
const LIMIT_SECONDS = 3_600
/** A hot statement that reads more rows of a table than this reads other people's rows. */
const MAX_ROWS = 200
const LOOKS_MS = 2 * SECOND
const BIG_TABLE_ROWS = 10_000

await runBenchmark(
  async (stack) => {
    const house = await openHouse(stack)
    const few = await openShop(stack, house, { name: 'few', past: FEW })
    const many = await openShop(stack, house, { name: 'many', past: MANY })
    // Filling takes longer than the service keeps an idle connection, so connections are opened late.
    const shoppers = {
      few: await openShoppers(stack, few, few.buyers),
      many: await openShoppers(stack, many, many.buyers),
    }
    for (const each of [shoppers.few, shoppers.many]) {
      await buy(each)
      await buy(each)
    }
    const found = await takeTurns(ROUNDS, { few: () => buy(shoppers.few), many: () => buy(shoppers.many) })
    console.log(`purchases per second, ${CLIENTS} clients, by round`)
    printFigures(`${FEW} activations`, found.few, '/s')
    printFigures(`${MANY} activations`, found.many, '/s')
    printRatio(`${MANY} : ${FEW} activations`, ratiosOf(found.many, found.few), { atLeast: 0.95 })
    await showPlans(many)
  },
  { limitSeconds: LIMIT_SECONDS },
)

type Shop = Service & { buyers: Buyer[] }

async function openShop(
  stack: AsyncDisposableStack,
  house: House,
  { name, past }: { name: string; past: number },
): Promise<Shop> {
  const service = await openService(stack, house, { name, environment: { EARLY_CANCEL_SECONDS: '0' } })
  const buyers = await addBuyers(service.db, CLIENTS * ACCOUNTS_PER_CLIENT)
  const buyerId = buyers[0]?.userId ?? 0
  await addPastActivations(service.superuserUrl, { total: past, buyerId, ofBuyer: OF_BUYER })
  return { ...service, buyers }
}

async function buy(shoppers: Shoppers): Promise<number> {
  const startedAt = performance.now()
  await shoppers.buy(EACH)
  const perSecond = (EACH * CLIENTS * SECOND) / (performance.now() - startedAt)
  await shoppers.end()
  return perSecond
}

/** Prints how PostgreSQL runs each statement of an order's life, and which statements read too many rows. */
async function showPlans(shop: Shop): Promise<void> {
  const statements = await statementsOfLife(shop)
  const client = new pg.Client({ connectionString: shop.databaseUrl })
  await client.connect()
  try {
    const big = await bigTables(client)
    const bad: string[] = []
    for (const [name, statement] of statements) {
      for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
        const scans = await scansOf(client, statement, mode)
        const wrong = scans.filter(
          ({ kind, table, rows, removed }) =>
            rows + removed > MAX_ROWS || (kind === 'Seq Scan' && big.has(table ?? '')),
        )
        const rows = scans.reduce((sum, scan) => sum + scan.rows + scan.removed, 0)
        const blocks = Math.max(0, ...scans.map((scan) => scan.blocks))
        console.log(`  ${name} (${mode}): ${scans.length} scans, ${rows} rows looked at, at most ${blocks} blocks each`)
        for (const { kind, table, index } of wrong) bad.push(`${name}: ${kind} of ${table} by ${index}`)
      }
    }
    for (const one of new Set(bad)) console.log(`    ${one}`)
    console.log(`  at most ${MAX_ROWS} rows looked at, big tables by indexes: ${bad.length === 0 ? 'ok' : 'short'}`)
  } finally {
    await client.end()
  }
}

/** Runs a statement again and takes its changes back. Returns its scans of tables and indexes. */
async function scansOf(client: pg.Client, statement: Statement, mode: Parameters<typeof explain>[2]) {
  await client.query('BEGIN')
  try {
    const nodes = await explain(client, statement, mode)
    return nodes.filter(({ kind, table, index }) => kind !== 'ModifyTable' && (table ?? index) !== undefined)
  } finally {
    await client.query('ROLLBACK')
  }
}

async function bigTables(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND reltuples > ${BIG_TABLE_ROWS}`,
  )
  return new Set(rows.map(({ name }) => name))
}

/** Buys, polls, receives, asks for another code, finishes, cancels and lists, and returns the statements by name. */
async function statementsOfLife({ url, process, buyers }: Shop): Promise<Map<string, Statement>> {
  const [{ apiKey, token } = { apiKey: '', token: '' }] = buyers
  using connection = await HttpConnection.open(url)
  const ask = async (query: Record<string, string>) => {
    const { body } = await connection.ask(
      getRequest(`/stubs/handler_api.php?${new URLSearchParams({ api_key: apiKey, ...query })}`),
    )
    return body.toString()
  }
  const show = (path: string) => connection.ask(getRequest(path, { authorization: `Bearer ${token}` }))
  const buyOne = async () => {
    const answer = await ask({ action: 'getNumber', service: 'tg', country: '0', operator: 'silent' })
    const [, id, phone] = /^ACCESS_NUMBER:(\d+):(\d+)$/.exec(answer) ?? []
    if (id === undefined || phone === undefined) throw new Error(`a purchase failed: ${answer}`)
    return { id, phone }
  }
  await process.ask('writeDownStatements', undefined)
  const kept = await buyOne()
  await ask({ action: 'getStatus', id: kept.id })
  await process.ask('takeSms', nextMessage(kept.phone))
  await ask({ action: 'getStatus', id: kept.id })
  await ask({ action: 'setStatus', status: '3', id: kept.id })
  await ask({ action: 'setStatus', status: '6', id: kept.id })
  await ask({ action: 'setStatus', status: '8', id: (await buyOne()).id })
  for (const path of ['/api/user/active-numbers', '/api/v1/history', '/api/v1/activations']) await show(path)
  // The looks for due work run each second.
  await new Promise((resolve) => setTimeout(resolve, LOOKS_MS))
  const written = await process.ask('statements', undefined)
  const hot = written.filter(({ name }) => name !== null)
  return new Map(hot.map((statement) => [statement.name ?? '', statement]))
}
