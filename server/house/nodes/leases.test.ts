import { expect, test } from 'vitest'
import { DAY } from '#contract/time.ts'
import type { Db } from '#server/house/db/pool.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { NodeWatch } from './node-watch.ts'
import {
  declareDead,
  endNode,
  insertNode,
  type LivingNode,
  listLivingNodes,
  listNodes,
  NODE_LEASE_MS,
  renewNode,
  takeLeases,
} from './queries.ts'
import { freeOf, shareLeases } from './share-leases.ts'

const NODE = { host: 'elsewhere', pid: 1, version: '0.1.0', commit: null }
const WORK = ['chains', 'links', 'mails', 'pollers', 'rates', 'sweeps']

async function addNode(db: Db): Promise<bigint> {
  const id = await insertNode(db, NODE)
  await renewNode(db, { id, state: 'serves' })
  return id
}

async function share(db: Db, nodeId: bigint, wanted: readonly string[] = WORK): Promise<string[]> {
  return [...(await shareLeases(db, { nodeId, nodes: await listLivingNodes(db), wanted }))].sort()
}

test('of many nodes that want a free lease at once, one gets it', async () => {
  await using t = await startTestApp()
  const { db } = t.ctx
  const dead = await addNode(db)
  await takeLeases(db, { names: ['links'], nodeId: dead })
  const nodes = await Promise.all(Array.from({ length: 8 }, () => addNode(db)))
  const tryAll = async () =>
    (await Promise.all(nodes.map((nodeId) => takeLeases(db, { names: ['links'], nodeId })))).flat()
  expect(await tryAll()).toEqual([])
  await endNode(db, dead)
  expect(await tryAll()).toEqual(['links'])
  expect(await takeLeases(db, { names: ['sweeps'], nodeId: dead })).toEqual([])
})

test('nodes share the work, and the work of a node that ends or leaves goes to the others', async () => {
  await using t = await startTestApp()
  const { db } = t.ctx
  const [first, second, third] = [await addNode(db), await addNode(db), await addNode(db)]
  const all = async () => (await listLivingNodes(db)).map(({ leases }) => leases.length)
  await share(db, first)
  await share(db, second)
  await share(db, third)
  expect(await all()).toEqual([2, 2, 2])
  await endNode(db, second)
  await share(db, first)
  await share(db, third)
  expect(await all()).toEqual([3, 3])
  await renewNode(db, { id: first, state: 'leaves' })
  expect(await share(db, first, [])).toEqual([])
  expect(await share(db, third)).toEqual(WORK)
})

test('a lease that stays free is taken by a node beyond its share, because the others cannot do its work', async () => {
  await using t = await startTestApp()
  const { db } = t.ctx
  const [able, unable] = [await addNode(db), await addNode(db)]
  const wanted = ['supplier 1', 'supplier 2', 'supplier 3', 'sweeps']
  const look = async (nodeId: bigint, names: readonly string[], freeBefore: ReadonlySet<string> = new Set()) => {
    await shareLeases(db, { nodeId, nodes: await listLivingNodes(db), wanted: names, freeBefore })
    return freeOf(await listLivingNodes(db), names)
  }
  await look(able, wanted)
  expect(await look(unable, ['sweeps'])).toEqual(new Set())
  const free = await look(able, wanted)
  expect(free).toEqual(new Set(['supplier 3']))
  expect(await look(able, wanted, free)).toEqual(new Set())
})

// Regression test: the number of milliseconds did not fit its type, so that no node could start.
test('a node that died months ago is listed', async () => {
  await using t = await startTestApp()
  const { db } = t.ctx
  const id = await addNode(db)
  await db.query({ text: `UPDATE nodes SET until = now() - interval '3 months' WHERE id = $id`, values: { id } })
  const shown = expect.objectContaining({ id, late_ms: DAY })
  expect(await listLivingNodes(db)).toContainEqual(shown)
  expect(await listNodes(db, 10)).toContainEqual(shown)
})

// Regression test: the lead was a day behind, and other nodes told of clocks that differ at each start.
test('a node that does not serve yet has no clock to compare', async () => {
  await using t = await startTestApp()
  const { db } = t.ctx
  const id = await addNode(db)
  await renewNode(db, { id })
  expect(await listLivingNodes(db)).toContainEqual(expect.objectContaining({ id, ahead_ms: null }))
})

test('a node is dead only once a watcher has seen for the whole time that it did not renew itself', async () => {
  await using t = await startTestApp()
  const { db } = t.ctx
  const id = await addNode(db)
  const watch = new NodeWatch()
  const judge = async (nowMs: number) => watch.judge(await listLivingNodes(db), nowMs)
  // The clock of PostgreSQL may have stepped: what the row says about its own time proves nothing.
  await db.query({ text: `UPDATE nodes SET until = until - interval '1 hour' WHERE id = ${id}` })
  for (const nowMs of [0, 1_000, 2_000, NODE_LEASE_MS - 1]) expect(await judge(nowMs)).toEqual([])
  const [dead] = await judge(NODE_LEASE_MS)
  expect(dead?.id).toBe(id)
  // The node renews itself between the look and the sentence.
  expect(await renewNode(db, { id, state: 'serves' })).toEqual(expect.any(BigInt))
  expect(await declareDead(db, dead as LivingNode)).toBe(false)
  expect(await judge(NODE_LEASE_MS + 1)).toEqual([])
  // After an outage, or a stall of its own, the watcher knows nothing.
  const lateMs = 9 * NODE_LEASE_MS
  expect(await judge(lateMs)).toEqual([])
  for (const soonMs of [1_000, 2_000]) expect(await judge(lateMs + soonMs)).toEqual([])
  watch.reset()
  for (const soonMs of [2_600, 3_600, 4_600]) expect(await judge(lateMs + soonMs)).toEqual([])
  const [gone] = await judge(lateMs + 5_100)
  expect(await declareDead(db, gone as LivingNode)).toBe(true)
  expect(await renewNode(db, { id })).toBeNull()
})
