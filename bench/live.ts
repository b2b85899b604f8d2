/** Measures the time from an SMS to the event at the client beside 5 000 live sockets, and the memory per socket. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { startChild } from './parts/ask-child.ts'
import type { BareIntakeAnswers } from './parts/bare/bare-intake.ts'
import { openIdleSockets } from './parts/live-sockets.ts'
import {
  arrival,
  buyNumbers,
  type Intake,
  msSince,
  nextMessage,
  openClient,
  serviceIntake,
} from './parts/one-message.ts'
import { addBuyers, addOnlookers } from './parts/people.ts'
import { printFigures, printRatio, quantile, ratiosOf, takeTurns } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'
import { openHouse, openService, reopenService, type Service } from './parts/temporary-house.ts'

const IDLE_SOCKETS = 5_000
/** The first sockets pay for shared code and buffers, so their memory is not counted. */
const FIRST_SOCKETS = 500
const IDLE_AIM_KB = 12
const ROUNDS = 7
const SMS_PER_ROUND = 250
const WARM_UP_SMS = 500

await runBenchmark(async (stack) => {
  const service = await openSecondTime(stack)
  await weighIdleSockets(stack, service)
  const [buyer] = await addBuyers(service.db, 1)
  if (buyer === undefined) throw new Error('there is no buyer')
  const phones = await buyNumbers(stack, service, { buyer, count: WARM_UP_SMS + ROUNDS * SMS_PER_ROUND })
  const client = await openClient(stack, service, buyer)
  const takeSms = serviceIntake(service, client)
  const takeBarely = await bareIntake(stack, service, await firstFrame(client, takeSms, phones))
  const measure = async (intake: Intake, count: number): Promise<number[]> => {
    const times: number[] = []
    for (const phone of phones.slice(0, count)) times.push(await intake(phone))
    return times
  }
  // Each number is used once, because its first message captures the price.
  const measureService = async (count: number) => {
    const times = await measure(takeSms, count)
    phones.splice(0, count)
    return times
  }
  await measure(takeBarely, WARM_UP_SMS / 2)
  await measureService(WARM_UP_SMS / 2)
  const found = await takeTurns(ROUNDS, {
    service: () => measureService(SMS_PER_ROUND),
    bare: () => measure(takeBarely, SMS_PER_ROUND),
  })
  report(found)
})

function report(found: { service: number[][]; bare: number[][] }): void {
  console.log(`ms from intake to client, ${SMS_PER_ROUND} messages one after another, by round`)
  for (const [name, share, atMost] of [
    ['p50', 0.5, 2.5],
    ['p99', 0.99, 3],
  ] as const) {
    const service = found.service.map((times) => quantile(times, share))
    const bare = found.bare.map((times) => quantile(times, share))
    printFigures(`SMS to event, ${name}`, service, 'ms')
    printFigures(`bare INSERT and send, ${name}`, bare, 'ms')
    printRatio(`SMS to event : bare, ${name}`, ratiosOf(service, bare), { atMost })
  }
}

/** Restarts the service, because the process that filled the demo has free heap, which hides the sockets' memory. */
async function openSecondTime(stack: AsyncDisposableStack): Promise<Service> {
  const house = await openHouse(stack)
  await using first = new AsyncDisposableStack()
  await openService(first, house, { name: 'live' })
  await first.disposeAsync()
  return reopenService(stack, house, { name: 'live', environment: { MAX_OPEN_NUMBERS: '10000' } })
}

async function weighIdleSockets(stack: AsyncDisposableStack, service: Service): Promise<void> {
  const userIds = await addOnlookers(service.db, FIRST_SOCKETS + IDLE_SOCKETS)
  await openIdleSockets(stack, service, { userIds: userIds.slice(0, FIRST_SOCKETS), firstAddress: 2 })
  const before = await service.process.ask('memoryBytes', undefined)
  await openIdleSockets(stack, service, { userIds: userIds.slice(FIRST_SOCKETS), firstAddress: 32 })
  const after = await service.process.ask('memoryBytes', undefined)
  const each = (after - before) / IDLE_SOCKETS / 1024
  const judged = each <= IDLE_AIM_KB ? 'ok' : 'short'
  console.log(`memory of the service: ${toMb(before)} MB, with ${IDLE_SOCKETS} more idle sockets ${toMb(after)} MB`)
  console.log(`  one idle socket: ${each.toFixed(1)} KB, aim ${IDLE_AIM_KB}: ${judged}`)
}

async function firstFrame(client: WebSocket, takeSms: Intake, phones: string[]): Promise<string> {
  const arrived = arrival(client)
  await takeSms(phones[0] ?? '')
  const { frame } = await arrived
  if (!frame.includes('"NewCode"')) throw new Error(`the client got ${frame}`)
  return frame
}

async function bareIntake(stack: AsyncDisposableStack, service: Service, frame: string): Promise<Intake> {
  const program = new URL('parts/bare/bare-intake.ts', import.meta.url)
  const environment = { DATABASE_URL: service.databaseUrl }
  const child = stack.use(await startChild<BareIntakeAnswers>(program, { environment }))
  const client = new WebSocket(await child.ask('liveUrl', undefined), { perMessageDeflate: false })
  stack.defer(() => client.terminate())
  await once(client, 'open')
  return async (phone) => {
    const arrived = arrival(client)
    const startedAt = await child.ask('insertAndSend', { ...nextMessage(phone), frame })
    return msSince(startedAt, (await arrived).at)
  }
}

function toMb(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0)
}
