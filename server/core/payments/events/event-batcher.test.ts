import { expect, test } from 'vitest'
import { transaction } from '#server/house/db/transaction.ts'
import { begin, payer } from '#test/builders/payments.ts'
import { addFakeGateway, arrived } from '#test/fakes/fake-gateway.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { eventBatcherOf } from './event-batcher.ts'

type Kept = { state: string; count: number; transactions: number }

async function kept(t: TestApp): Promise<Kept[]> {
  const { rows } = await t.ctx.db.query<Kept>({
    text: `SELECT state, count(*)::integer AS count, count(DISTINCT xmin::text)::integer AS transactions
      FROM gateway_events GROUP BY state ORDER BY state`,
  })
  return rows
}

test('events that come together are stored together, each for the payment that it names', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id: known } = await begin(t, user)
  gateway.facts.set(known, arrived(['d', 50_000]))
  const send = (turn: number) =>
    gateway.send(t, { event: `e${turn}`, transaction: turn % 2 === 0 ? known : 'of nobody' })
  const replies = await Promise.all(Array.from({ length: 200 }, (_, turn) => send(turn)))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  await t.ctx.background.idle()
  const { rows } = await t.ctx.db.query<{ wrong: number; commits: number }>({
    text: `SELECT count(*) FILTER (WHERE (read->>'transactionId' = $1) <> (state = 'processed'))::integer AS wrong,
        count(DISTINCT xmin::text) FILTER (WHERE state = 'processed')::integer AS commits FROM gateway_events`,
    values: [known],
  })
  expect(rows[0]?.wrong).toBe(0)
  // A hundred single events would make a hundred commits; how many are grouped depends on the machine.
  expect(rows[0]?.commits).toBeLessThan(100)
})

test('one that cannot be stored harms none of those that came with it', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const send = async (turn: number) => {
    const { status } = await gateway.send(t, { event: turn % 10 === 3 ? `no\u0000text ${turn}` : `e${turn}` })
    return [turn, status] as const
  }
  const replies = await Promise.all(Array.from({ length: 60 }, (_, turn) => send(turn)))
  for (const [turn, status] of replies) expect(status).toBe(turn % 10 === 3 ? 500 : 200)
  await t.ctx.background.idle()
  expect((await kept(t)).reduce((sum, { count }) => sum + count, 0)).toBe(54)
})

test('more events than can wait are refused, with 503, and the others are stored once there is room', async () => {
  await using t = await startTestApp()
  const { id: gatewayId } = await addFakeGateway(t)
  const now = t.clock.now()
  const from = { gatewayId, address: '127.0.0.1', headers: {}, body: Buffer.from('x'), receivedAt: now, checkAt: now }
  const { sent } = await transaction(t.ctx.db, async (tx) => {
    await tx.query({ text: 'LOCK TABLE gateway_events IN SHARE MODE' })
    const store = (_: unknown, turn: number) =>
      eventBatcherOf(t.ctx).store(t.ctx, { ...from, read: { eventId: `e${turn}`, transactionId: 'of nobody' } })
    return { sent: Promise.allSettled(Array.from({ length: 1_010 }, store)) }
  })
  const settled = await sent
  const refused = settled.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused).toHaveLength(10)
  expect(refused[0]).toMatchObject({ code: 'TOO_MANY_REQUESTS', httpStatus: 503 })
  expect((await kept(t))[0]).toMatchObject({ state: 'stored', count: 1_000 })
  expect((await kept(t))[0]?.transactions).toBeLessThan(20)
})

test('an event that comes twice in one moment is processed once, and the other is kept as a repetition', async () => {
  await using t = await startTestApp()
  const { id: gatewayId } = await addFakeGateway(t)
  const { transaction_id: transactionId } = await begin(t, await payer(t))
  const now = t.clock.now()
  const from = { gatewayId, address: '127.0.0.1', headers: {}, body: Buffer.from('x'), receivedAt: now, checkAt: now }
  const store = () => eventBatcherOf(t.ctx).store(t.ctx, { ...from, read: { eventId: 'twice', transactionId } })
  const taken = await Promise.all([store(), store()])
  expect(taken.map(({ state }) => state).sort()).toEqual(['processed', 'repeated'])
  expect(await kept(t)).toMatchObject([
    { state: 'processed', count: 1 },
    { state: 'repeated', count: 1 },
  ])
})
