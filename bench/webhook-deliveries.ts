/** Measures webhooks to buyers per second while 5 % of the endpoints hang, compared with bare `fetch`. */
import { type Child, startChild } from './parts/ask-child.ts'
import { addBuyers, type Buyer } from './parts/people.ts'
import { printFigures, printRatio, ratiosOf, takeTurns } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'
import { openHouse, openService, type Service } from './parts/temporary-house.ts'
import type { ReceiverAnswers } from './parts/webhooks/receivers.ts'
import { eachOf } from './parts/work-at-once.ts'

const HEALTHY = 95
const HANGING = 5
const PER_BUYER = 10
const EVENTS = 40
const ROUNDS = 7
const FETCHES_AT_ONCE = 64

const DETAILS = {
  order: 'activation',
  id: 1,
  service_id: 'tg',
  country_id: 2,
  phone: '77051234567',
  state: 'cancelled',
  price_micros: '13000000',
  currency: 'rub',
}

await runBenchmark(
  async (stack) => {
    const receivers = stack.use(
      await startChild<ReceiverAnswers>(new URL('parts/webhooks/receivers.ts', import.meta.url)),
    )
    const urls = await receivers.ask('open', { healthy: HEALTHY, hanging: HANGING })
    const environment = { OUTBOUND_PRIVATE_HOSTS: '127.0.0.1' }
    const service = await openService(stack, await openHouse(stack), { name: 'webhook_deliveries', environment })
    const buyers = await addBuyers(service.db, (HEALTHY + HANGING) / PER_BUYER)
    const endpoints = await addEndpoints(service, buyers, [...urls.healthy, ...urls.hanging])
    const healthy = endpoints.slice(0, HEALTHY)
    const send = (to: readonly number[]) => sendByService(service, receivers, to)
    // The first round is not measured. It lets the service find hanging endpoints and open connections.
    await send(endpoints)
    await sendBarely(receivers, urls.healthy)
    const found = await takeTurns(ROUNDS, {
      hanging: () => send(endpoints),
      alone: () => send(healthy),
      bare: () => sendBarely(receivers, urls.healthy),
    })
    console.log(`webhooks per second to ${HEALTHY} endpoints, ${EVENTS} events each, by round`)
    printFigures(`signed and noted, while ${HANGING} more hang`, found.hanging, '/s')
    printFigures('the same while none hangs', found.alone, '/s')
    printFigures('bare fetch', found.bare, '/s')
    printRatio('while some hang : bare fetch', ratiosOf(found.hanging, found.bare), { atLeast: 0.5 })
    printRatio('while some hang : while none does', ratiosOf(found.hanging, found.alone), { atLeast: 0.8 })
  },
  { limitSeconds: 240 },
)

async function addEndpoints(service: Service, buyers: readonly Buyer[], urls: readonly string[]): Promise<number[]> {
  const ids: number[] = []
  for (const [place, url] of urls.entries()) {
    const buyer = buyers[place % buyers.length]
    const reply = await fetch(`${service.url}/api/v1/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${buyer?.apiKey}` },
      body: JSON.stringify({ label: 'Bench', url }),
    })
    if (reply.status !== 201) throw new Error(`a webhook was not made: ${reply.status} ${await reply.text()}`)
    const { data } = (await reply.json()) as { data: { id: number } }
    ids.push(data.id)
  }
  return ids
}

/** Inserts events as the statements of orders do. The service polls the table of events every second. */
async function sendByService(
  { db }: Service,
  receivers: Child<ReceiverAnswers>,
  endpoints: readonly number[],
): Promise<number> {
  await receivers.ask('expect', HEALTHY * EVENTS)
  await db.query({
    text: `INSERT INTO webhook_deliveries (endpoint_id, event, subject, details, at, next_at)
      SELECT endpoint, 'activation.cancelled', 'activation:' || n, $details, $now, $now
      FROM generate_series(1, $events::integer) n CROSS JOIN unnest($endpoints::integer[]) endpoint`,
    values: { endpoints, events: EVENTS, details: JSON.stringify(DETAILS), now: new Date() },
  })
  return receivers.ask('rate', undefined)
}

async function sendBarely(receivers: Child<ReceiverAnswers>, urls: readonly string[]): Promise<number> {
  await receivers.ask('expect', HEALTHY * EVENTS)
  const { price_micros: _, ...data } = DETAILS
  const at = new Date().toISOString()
  const body = JSON.stringify({ type: 'activation.cancelled', timestamp: at, data: { ...data, price: '13.00' } })
  const headers = { 'content-type': 'application/json' }
  await eachOf(HEALTHY * EVENTS, FETCHES_AT_ONCE, async (index) => {
    const reply = await fetch(urls[index % urls.length] ?? '', { method: 'POST', headers, body })
    await reply.arrayBuffer()
  })
  return receivers.ask('rate', undefined)
}
