import { setTimeout } from 'node:timers/promises'
import { SECOND } from '#contract/time.ts'
import { getRequest, type HttpConnection, openConnections } from '../http-connection.ts'
import { nextMessage } from '../one-message.ts'
import type { Buyer } from '../people.ts'
import { median, printFigures, printRatio, ratiosOf, takeTurns } from '../rounds.ts'
import { eachOf } from '../work-at-once.ts'
import { type ClusterCpu, readClusterCpu } from './cluster-cpu.ts'
import { postmasterOf } from './cpu-time.ts'
import { type Cluster, openNodes } from './nodes.ts'

export const CLIENTS = 32
const ROUNDS = 3
/** The load of a node. A node that has little to do handles each call by itself, so nodes are compared at equal loads. */
const PURCHASES = { count: 400, perSecond: 40 }
const POLLS = { count: 4_000, perSecond: 400 }
const MESSAGES_PER_SECOND = 40
const IDLE_MS = 10 * SECOND
/** Each connection and each node must have made its first calls. */
const WARM_UP_PURCHASES = 3_200
const WARM_UP_POLLS = 12_800
const PARTS = ['nodes', 'postgres', 'redis'] as const

type Work = 'purchase' | 'poll' | 'message'
/** The processor time in microseconds: of one piece of work, above what the nodes use when idle, and of an idle second. */
type Costs = Record<Work | 'idle second', ClusterCpu>

/** Measures what a purchase, a poll and a message cost on one, two and four nodes, and prints it. */
export async function measureCosts(cluster: Cluster): Promise<void> {
  const found = await takeTurns(ROUNDS, {
    alone: () => measure(cluster, 0),
    one: () => measure(cluster, 1),
    two: () => measure(cluster, 2),
    four: () => measure(cluster, 4),
  })
  for (const work of ['purchase', 'poll', 'message'] as const) report(work, found)
  reportIdle(found)
}

async function measure(cluster: Cluster, nodes: number): Promise<Costs> {
  await using stack = new AsyncDisposableStack()
  const services = await openNodes(stack, cluster, nodes)
  const [first] = services
  if (first === undefined) throw new Error('no node runs')
  const connections = (
    await Promise.all(services.map(({ url }) => openConnections(stack, url, CLIENTS / services.length)))
  ).flat()
  const { rows } = await first.db.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' })
  const postmaster = await postmasterOf(rows[0]?.pid ?? 0)
  const pids = { nodes: services.map((service) => service.process.pid), postmaster, redis: cluster.redisPid }
  const cpuOf = async (work: () => Promise<unknown>): Promise<{ cpu: ClusterCpu; seconds: number }> => {
    const before = await readClusterCpu(pids)
    const start = performance.now()
    await work()
    const seconds = (performance.now() - start) / SECOND
    const after = await readClusterCpu(pids)
    return { cpu: eachPart((part) => after[part] - before[part]), seconds }
  }
  const takeAll = (numbers: readonly Bought[], perSecond?: number) =>
    eachClient(numbers.length, perSecond, async (_, place) => {
      const service = services[place % services.length] ?? first
      await service.process.ask('takeSms', nextMessage(numbers[place]?.phone ?? ''))
    })
  const times = ({ count, perSecond }: Required<Load>) => ({
    count: count * services.length,
    perSecond: perSecond * services.length,
  })
  const early = await buy(connections, cluster.buyers, { count: WARM_UP_PURCHASES })
  await pollAll(connections, early, { count: WARM_UP_POLLS })
  await takeAll(early)
  const idle = await cpuOf(() => setTimeout(IDLE_MS))
  const idleSecond = eachPart((part) => idle.cpu[part] / idle.seconds)
  const costOf = async (count: number, work: () => Promise<unknown>): Promise<ClusterCpu> => {
    const { cpu, seconds } = await cpuOf(work)
    return eachPart((part) => (cpu[part] - idleSecond[part] * seconds) / count)
  }
  const bought: Bought[] = []
  const [purchases, polls] = [times(PURCHASES), times(POLLS)]
  const purchase = await costOf(purchases.count, async () => {
    bought.push(...(await buy(connections, cluster.buyers, purchases)))
  })
  const poll = await costOf(polls.count, () => pollAll(connections, bought, polls))
  const message = await costOf(bought.length, () => takeAll(bought, MESSAGES_PER_SECOND * services.length))
  return { purchase, poll, message, 'idle second': idleSecond }
}

function eachPart(ofPart: (part: keyof ClusterCpu) => number): ClusterCpu {
  return { nodes: ofPart('nodes'), postgres: ofPart('postgres'), redis: ofPart('redis') }
}

/** `perSecond` is the rate of the load; without it, each client works as fast as it is answered. */
type Load = { count: number; perSecond?: number }

/** Shares work among the clients. Each piece has its time, so that slow answers do not lower the rate. */
async function eachClient(
  count: number,
  perSecond: number | undefined,
  work: (client: number, place: number) => Promise<void>,
): Promise<void> {
  const start = performance.now()
  await eachOf(CLIENTS, CLIENTS, async (client) => {
    for (let place = client; place < count; place += CLIENTS) {
      const dueMs = perSecond === undefined ? 0 : start + (place / perSecond) * SECOND - performance.now()
      if (dueMs > 0) await setTimeout(dueMs)
      await work(client, place)
    }
  })
}

type Bought = { apiKey: string; id: string; phone: string }

/** Buys numbers of the simulator's silent operator. Each client keeps to one connection, and so to one node. */
async function buy(
  connections: readonly HttpConnection[],
  buyers: readonly Buyer[],
  { count, perSecond }: Load,
): Promise<Bought[]> {
  const bought: Bought[] = []
  await eachClient(count, perSecond, async (client) => {
    const { apiKey } = buyers[client] ?? { apiKey: '' }
    const query = { action: 'getNumber', api_key: apiKey, service: 'tg', country: '0', operator: 'silent' }
    const [, id, phone] = /^ACCESS_NUMBER:(\d+):(\d+)$/.exec(await ask(connections[client], query)) ?? []
    if (id === undefined || phone === undefined) throw new Error('a purchase failed')
    bought.push({ apiKey, id, phone })
  })
  return bought
}

async function pollAll(
  connections: readonly HttpConnection[],
  bought: readonly Bought[],
  { count, perSecond }: Load,
): Promise<void> {
  await eachClient(count, perSecond, async (client, place) => {
    const { apiKey, id } = bought[place % bought.length] ?? { apiKey: '', id: '' }
    const answer = await ask(connections[client], { action: 'getStatus', api_key: apiKey, id })
    if (answer !== 'STATUS_WAIT_CODE') throw new Error(`a poll was answered: ${answer}`)
  })
}

async function ask(connection: HttpConnection | undefined, query: Record<string, string>): Promise<string> {
  if (connection === undefined) throw new Error('a client has no connection')
  const { body } = await connection.ask(getRequest(`/stubs/handler_api.php?${new URLSearchParams(query)}`))
  return body.toString()
}

function report(work: Work, found: Record<'alone' | 'one' | 'two' | 'four', Costs[]>): void {
  console.log(`processor time of a ${work}, µs, by round`)
  const totals = (costs: Costs[]) => costs.map((cost) => PARTS.reduce((sum, part) => sum + cost[work][part], 0))
  for (const [name, costs] of Object.entries(found)) {
    const parts = PARTS.map((part) => `${part} ${median(costs.map((cost) => cost[work][part])).toFixed(0)}`).join(', ')
    printFigures(`${name} (${parts})`, totals(costs), 'µs')
  }
  printRatio('one node with Redis : without', ratiosOf(totals(found.one), totals(found.alone)), null)
  printRatio('two nodes : one', ratiosOf(totals(found.two), totals(found.one)), null)
  printRatio('four nodes : one', ratiosOf(totals(found.four), totals(found.one)), { atMost: 1.15 })
}

function reportIdle(found: Record<string, Costs[]>): void {
  console.log('processor time of an idle second, µs (with the work that demo and house do by themselves)')
  for (const [name, costs] of Object.entries(found)) {
    const parts = PARTS.map((part) => `${part} ${median(costs.map((cost) => cost['idle second'][part])).toFixed(0)}`)
    console.log(`  ${name}: ${parts.join(', ')}`)
  }
}
