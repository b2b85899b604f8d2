/** Checks that the first pages of a small and a large history take the same time and use index look-ups only. */
import pg from 'pg'
import { DAY } from '#contract/time.ts'
import { getRequest, HttpConnection } from './parts/http-connection.ts'
import type { Statement } from './parts/measured-service.ts'
import { addPastActivations } from './parts/past/past-activations.ts'
import { addBuyers, type Buyer } from './parts/people.ts'
import { explain, type PlanNode } from './parts/query-plan.ts'
import { median, printFigures, printRatio, quantile, ratiosOf, takeTurns } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'
import { type House, openHouse, openService, type Service } from './parts/temporary-house.ts'

const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10)
const NARROWED = new URLSearchParams({ mode: 'activation', outcome: 'received', from: daysAgo(100), to: daysAgo(50) })
const LISTS = [
  { path: '/api/user/active-numbers', statement: 'activation-list-active-newest' },
  { path: '/api/v1/history', statement: 'history-list-activation' },
  { path: `/api/v1/history?${NARROWED}`, statement: 'history-list-activation' },
]
const ACTIVE_NUMBERS = 20
/** The maximum number of rows that a query may read. Reading other buyers' rows would exceed it by far. */
const MAX_LOOKED_AT = 200
const BY_INDEX = /^(?:Index|Bitmap)/
const ROUNDS = 7
const PAGES_PER_ROUND = 200
const WARM_UP_PAGES = 200
const FEW = { total: 10_000, ofBuyer: 1_000 }
const MANY = { total: 1_000_000, ofBuyer: 100_000 }
/**
 * The maximum ratio of times for a large and a small table. Times that grow with the table would have a ratio of 100.
 */
const MAX_GROWTH = 1.25

await runBenchmark(async (stack) => {
  const house = await openHouse(stack)
  const few = await openOffice(stack, house, { name: 'few', past: FEW })
  const many = await openOffice(stack, house, { name: 'many', past: MANY })
  for (const office of [few, many]) await buyActive(office)
  for (const list of LISTS) {
    for (const office of [few, many]) await showPages(office, list.path, WARM_UP_PAGES)
    const found = await takeTurns(ROUNDS, {
      few: () => showPages(few, list.path, PAGES_PER_ROUND),
      many: () => showPages(many, list.path, PAGES_PER_ROUND),
    })
    const [fewMs, manyMs] = [found.few.map(median), found.many.map(median)]
    console.log(`first page of GET ${list.path}, ms, by round`)
    printFigures(`${FEW.ofBuyer} among ${FEW.total}, p50`, fewMs, 'ms')
    printFigures(`${MANY.ofBuyer} among ${MANY.total}, p50`, manyMs, 'ms')
    const p99 = found.many.map((times) => quantile(times, 0.99))
    printFigures(`${MANY.ofBuyer} among ${MANY.total}, p99`, p99, 'ms')
    printRatio('many : few, p50', ratiosOf(manyMs, fewMs), { atMost: MAX_GROWTH })
    await showPlans(many, list)
  }
})

type Office = Service & { buyer: Buyer; ask: (path: string) => Promise<string> }

async function openOffice(
  stack: AsyncDisposableStack,
  house: House,
  { name, past }: { name: string; past: { total: number; ofBuyer: number } },
): Promise<Office> {
  const service = await openService(stack, house, { name })
  const [buyer] = await addBuyers(service.db, 1)
  if (buyer === undefined) throw new Error('there is no buyer')
  await addPastActivations(service.superuserUrl, { ...past, buyerId: buyer.userId })
  // Filling the tables takes longer than the service keeps an idle connection, so the connection is opened late.
  let connection: HttpConnection | undefined
  const ask = async (path: string) => {
    connection ??= stack.use(await HttpConnection.open(service.url))
    const reply = await connection.ask(getRequest(path, { authorization: `Bearer ${buyer.token}` }))
    if (reply.status !== 200) throw new Error(`${path} answers ${reply.status} ${reply.body}`)
    return reply.body.toString()
  }
  return { ...service, buyer, ask }
}

async function buyActive({ buyer, ask }: Office): Promise<void> {
  const query = { action: 'getNumber', api_key: buyer.apiKey, service: 'tg', country: '0', operator: 'silent' }
  for (let number = 0; number < ACTIVE_NUMBERS; number += 1) {
    const text = await ask(`/stubs/handler_api.php?${new URLSearchParams(query)}`)
    if (!text.startsWith('ACCESS_NUMBER')) throw new Error(`a purchase failed: ${text}`)
  }
}

async function showPages({ ask }: Office, path: string, count: number): Promise<number[]> {
  const times: number[] = []
  for (let page = 0; page < count; page += 1) {
    const startedAt = performance.now()
    await ask(path)
    times.push(performance.now() - startedAt)
  }
  return times
}

async function showPlans(office: Office, list: (typeof LISTS)[number]): Promise<void> {
  const statement = await statementOf(office, list)
  const client = new pg.Client({ connectionString: office.databaseUrl })
  await client.connect()
  try {
    for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
      const nodes = await explain(client, statement, mode)
      const scans = nodes.filter(({ table, index }) => table !== undefined || index !== undefined)
      console.log(`  plan of ${list.statement} (${mode}), ${MANY.total} rows in the table:`)
      for (const scan of scans) console.log(`    ${describe(scan)}`)
      const good = scans.every(({ kind, rows, removed }) => BY_INDEX.test(kind) && rows + removed <= MAX_LOOKED_AT)
      console.log(`    by indexes only, at most ${MAX_LOOKED_AT} rows looked at: ${good ? 'ok' : 'short'}`)
    }
  } finally {
    await client.end()
  }
}

async function statementOf(office: Office, list: (typeof LISTS)[number]): Promise<Statement> {
  await office.process.ask('writeDownStatements', undefined)
  await office.ask(list.path)
  const issued = await office.process.ask('statements', undefined)
  const found = issued.find(({ name }) => name === list.statement)
  if (found === undefined)
    throw new Error(`${list.path} issues ${issued.map(({ name }) => name)}, not ${list.statement}`)
  return found
}

function describe({ kind, table, index, rows, removed, blocks }: PlanNode): string {
  const on = table === undefined ? '' : ` on ${table}`
  const by = index === undefined ? '' : ` by ${index}`
  return `${kind}${on}${by}: ${rows} rows, ${removed} more looked at, ${blocks} blocks`
}
