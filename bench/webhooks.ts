/** Measures how many gateway webhooks per second are verified and stored, compared with one bare INSERT each. */
import { createHmac } from 'node:crypto'
import { type HttpConnection, openConnections, postRequest } from './parts/http-connection.ts'
import { addBuyers, type Buyer } from './parts/people.ts'
import { printFigures, printRatio, ratiosOf, takeTurns } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'
import { openHouse, openService, type Service } from './parts/temporary-house.ts'
import { perSecond } from './parts/work-at-once.ts'

const CLIENTS = 16
const ROUNDS = 7
const ROUND_MS = 2_000
const WARM_UP_MS = 1_000
const SANDBOX = { code: 'sandbox', secret: 'sandbox', header: 'sandbox-signature' }

await runBenchmark(async (stack) => {
  const service = await openService(stack, await openHouse(stack), { name: 'webhooks' })
  const [buyer] = await addBuyers(service.db, 1)
  if (buyer === undefined) throw new Error('there is no buyer')
  const sender = await openSender(stack, service, buyer)
  const sendOverHttp = (forMs: number) => perSecond(sender.connections, forMs, (connection) => send(sender, connection))
  const storeBarely = (forMs: number) => perSecond(sender.connections, forMs, () => store(sender, service))
  await sendOverHttp(WARM_UP_MS)
  await storeBarely(WARM_UP_MS)
  const found = await takeTurns(ROUNDS, {
    http: () => sendOverHttp(ROUND_MS),
    bare: () => storeBarely(ROUND_MS),
  })
  console.log(`webhooks per second, ${CLIENTS} connections, by round`)
  printFigures('taken over HTTP, each with its check in the background', found.http, '/s')
  printFigures('bare INSERT and commit', found.bare, '/s')
  printRatio('over HTTP : bare INSERT', ratiosOf(found.http, found.bare), { atLeast: 0.5 })
})

type Sender = { connections: HttpConnection[]; gatewayId: number; providerId: string; sent: number }

async function openSender(stack: AsyncDisposableStack, service: Service, buyer: Buyer): Promise<Sender> {
  const reply = await fetch(`${service.url}/api/v1/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${buyer.token}` },
    body: JSON.stringify({ system: SANDBOX.code, amount: '100.00' }),
  })
  if (reply.status !== 201) throw new Error(`a payment was not begun: ${reply.status} ${await reply.text()}`)
  const { rows } = await service.db.query<{ gateway_id: number; provider_id: string }>({
    text: 'SELECT gateway_id, provider_id FROM payments',
  })
  const [row] = rows
  if (row === undefined) throw new Error('there is no payment')
  const connections = await openConnections(stack, service.url, CLIENTS)
  return { connections, gatewayId: row.gateway_id, providerId: row.provider_id, sent: 0 }
}

function nextEvent(sender: Sender): { body: Buffer; signature: string } {
  sender.sent += 1
  const body = Buffer.from(JSON.stringify({ event: `bench-${sender.sent}`, payment: sender.providerId }))
  return { body, signature: createHmac('sha256', SANDBOX.secret).update(body).digest('hex') }
}

async function send(sender: Sender, connection: HttpConnection): Promise<void> {
  const { body, signature } = nextEvent(sender)
  const path = `/gateways/${SANDBOX.code}/events`
  const reply = await connection.ask(postRequest(path, JSON.parse(body.toString()), { [SANDBOX.header]: signature }))
  if (reply.status !== 200) throw new Error(`an event was not taken: ${reply.status} ${reply.body.toString()}`)
}

async function store(sender: Sender, { db }: Service): Promise<void> {
  const { body, signature } = nextEvent(sender)
  const headers = JSON.stringify({ 'content-type': 'application/json', [SANDBOX.header]: signature })
  const read = JSON.stringify({ eventId: `bench-${sender.sent}`, providerId: sender.providerId })
  await db.query({
    name: 'bench-bare-insert',
    text: `INSERT INTO gateway_events (gateway_id, received_at, address, headers, body, read)
      VALUES ($gatewayId, $now, '127.0.0.1', $headers, $body, $read) RETURNING id`,
    values: { gatewayId: sender.gatewayId, now: new Date(), headers, body, read },
  })
}
