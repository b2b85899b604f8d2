import { startChild } from '../ask-child.ts'
import { buyNumbers, openClient, serviceIntake } from '../one-message.ts'
import { addOnlookers, type Buyer } from '../people.ts'
import { printFigures, printRatio, quantile, ratiosOf, takeTurns } from '../rounds.ts'
import type { Service } from '../temporary-house.ts'
import type { IdlePagesAnswers } from './idle-pages.ts'
import { type Cluster, openNodes } from './nodes.ts'

const NODES = 4
/** A node takes 10 000 sockets, and one is left for the page that is measured. */
const PAGES_PER_NODE = 9_999
/** The first pages pay for shared code and buffers, so their memory is not counted. */
const FIRST_PAGES = 500
const MESSAGES = 200
const ROUNDS = 5

/**
 * Measures how fast a code reaches a page of another node, without and with 40 000 pages open at four nodes, and what the
 * pages weigh. Prints it.
 */
export async function measureLive(cluster: Cluster): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const nodes = await openNodes(stack, cluster, NODES)
  await measureNews('no other page', nodes, cluster)
  await openPages(stack, nodes)
  await measureNews(`${NODES * PAGES_PER_NODE} pages`, nodes, cluster)
}

/** Measures the time from a message to its event at a page of the node that took the message, and of another node. */
async function measureNews(what: string, [taking, other]: readonly Service[], { buyers }: Cluster): Promise<void> {
  const [buyer] = buyers
  if (taking === undefined || other === undefined || buyer === undefined) throw new Error('a node is missing')
  const timesAt = (page: Service) => timesOf({ taking, page, buyer })
  await timesAt(taking)
  await timesAt(other)
  const found = await takeTurns(ROUNDS, { same: () => timesAt(taking), other: () => timesAt(other) })
  console.log(`ms from a message to its event at the page, p50, by round, ${what}`)
  printFigures('page of the same node', found.same, 'ms')
  printFigures('page of another node', found.other, 'ms')
  printRatio('another node : the same', ratiosOf(found.other, found.same), { atMost: 1.5 })
}

async function timesOf({ taking, page, buyer }: { taking: Service; page: Service; buyer: Buyer }): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const phones = await buyNumbers(stack, taking, { buyer, count: MESSAGES })
  // The page opens after the purchases, so that it gets only the events of messages.
  const intake = serviceIntake(taking, await openClient(stack, page, buyer))
  const times: number[] = []
  for (const phone of phones) times.push(await intake(phone))
  return quantile(times, 0.5)
}

/** Opens the pages of as many people as there are pages. A process of its own for each node holds them, for its files. */
async function openPages(stack: AsyncDisposableStack, nodes: readonly Service[]): Promise<void> {
  const [first] = nodes
  if (first === undefined) throw new Error('no node runs')
  const userIds = await addOnlookers(first.db, NODES * PAGES_PER_NODE)
  const program = new URL('idle-pages.ts', import.meta.url)
  let weight = 0
  for (const [place, node] of nodes.entries()) {
    const child = stack.use(await startChild<IdlePagesAnswers>(program))
    const people = userIds.slice(place * PAGES_PER_NODE, (place + 1) * PAGES_PER_NODE)
    const open = (from: number, to: number) =>
      child.ask('open', {
        url: node.url,
        liveUrl: node.liveUrl,
        userIds: people.slice(from, to),
        firstAddress: from === 0 ? 2 : 32,
      })
    await open(0, FIRST_PAGES)
    const before = await node.process.ask('memoryBytes', undefined)
    await open(FIRST_PAGES, PAGES_PER_NODE)
    weight += (await node.process.ask('memoryBytes', undefined)) - before
    console.log(`  node ${place + 1}: ${PAGES_PER_NODE} pages are open`)
  }
  const each = weight / (NODES * (PAGES_PER_NODE - FIRST_PAGES)) / 1024
  console.log(`  a page with its subscription weighs ${each.toFixed(1)} KB at its node`)
}
