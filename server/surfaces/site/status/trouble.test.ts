import { expect, test } from 'vitest'
import type { StatusComponent, StatusReply } from '#contract/status/status.ts'
import { MINUTE, SECOND } from '#contract/time.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { addFakeGateway } from '#test/fakes/fake-gateway.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { followStatus } from './follow-status.ts'
import { insertIncident, MOST_NOTES, tellOfIncident } from './incident-queries.ts'

async function shown(t: TestApp): Promise<StatusReply> {
  return (await (await t.fetch('/status.json')).json()) as StatusReply
}
const part = async (t: TestApp, id: StatusComponent) => (await shown(t)).components.find((one) => one.id === id)

test('a part whose figures cannot be read is unknown, the others are measured, and no outage is written', async () => {
  await using t = await startTestApp({ config: { demo: false } })
  await t.addFake()
  await t.ctx.db.query({ text: 'ALTER TABLE outcome_hours RENAME TO hidden' })
  await followStatus(t.ctx)
  for (let passed = 0; passed < 40; passed += 1) {
    t.clock.advance(15 * SECOND)
    await followStatus(t.ctx)
  }
  const { components, old } = await shown(t)
  const states = Object.fromEntries(components.map(({ id, state }) => [id, state]))
  expect([old, states.codes, states.links, states.orders]).toEqual([false, 'unknown', 'working', 'working'])
  const [day] = (await part(t, 'orders'))?.days ?? []
  expect(day).toMatchObject({ partly: 0, down: 0 })
  // The time of a purchase is measured by a real clock, which a busy machine may find slow.
  expect((day?.working ?? 0) + (day?.slow ?? 0)).toBe(11)
  expect(t.log.lines.some(({ sentence }) => sentence === 'a part of the status could not be measured')).toBe(true)
})

test('a measurement that fails as a whole, in a process that lives, is no outage', async () => {
  await using t = await startTestApp({ config: { demo: false } })
  await followStatus(t.ctx)
  await t.ctx.db.query({ text: 'ALTER TABLE status_days RENAME TO hidden' })
  t.clock.advance(20 * MINUTE)
  await expect(followStatus(t.ctx)).rejects.toThrow('status_days')
  await t.ctx.db.query({ text: 'ALTER TABLE hidden RENAME TO status_days' })
  await followStatus(t.ctx)
  expect((await part(t, 'orders'))?.days).toMatchObject([{ working: 2, down: 0 }])
})

test('a gateway that cannot follow its chain fails, and one that reports another fault does not', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  for (const [kind, state] of [
    ['chain-behind', 'down'],
    ['coin-rate', 'working'],
  ] as const) {
    gateway.listFaults = async () => [{ kind, about: gateway.code }]
    await followStatus(t.ctx)
    expect([kind, (await part(t, 'payments'))?.state]).toEqual([kind, state])
  }
})

test('a request that waits tells of the intake; one that was tried in vain, or of a supplier that is gone, does not', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const gone = await t.ctx.db.query<{ id: number }>({
    text: `INSERT INTO suppliers (code, kind, settings, created_at) VALUES ('gone', 'webhook', '{}', now()) RETURNING id`,
  })
  const store = (supplierId: number | undefined, tries: number) =>
    t.ctx.db.query({
      text: `INSERT INTO intake_requests (supplier_id, received_at, tries, state, address, method, query, headers)
        VALUES ($1, $2, $3, 'stored', '127.0.0.1', 'POST', '', '{}')`,
      values: [supplierId, new Date(t.clock.now().getTime() - 10 * MINUTE), tries],
    })
  await store(gone.rows[0]?.id, 0)
  await store(supplier.id, 3)
  await followStatus(t.ctx)
  expect((await part(t, 'messages'))?.state).toBe('unknown')
  await store(supplier.id, 0)
  await followStatus(t.ctx)
  expect((await part(t, 'messages'))?.state).toBe('down')
})

test('an incident with as many notes as it takes can still be closed', async () => {
  await using t = await startTestApp()
  const now = t.clock.now()
  const note = { at: now.toISOString(), ru: 'Сбой', en: 'Trouble' }
  await transaction(t.ctx.db, async (tx) => {
    const id = await insertIncident(tx, { components: ['codes'], note, now })
    const tell = (closes: boolean) => tellOfIncident(tx, { id, note, closes, now })
    for (let notes = 1; notes < MOST_NOTES - 1; notes += 1) expect(await tell(false)).toBe(true)
    expect([await tell(false), await tell(true), await tell(true)]).toEqual([false, true, false])
  })
})
