import { expect, test } from 'vitest'
import { DAY } from '#contract/time.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { sweepRentals } from '#server/core/numbers/rentals/sweep.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { RETENTION } from './rules.ts'

const WHOSE = [
  'user_id',
  'invited_id',
  'buyer_id',
  'email',
  'referrer_id',
  'session_id',
  'payment_id',
  'transaction_id',
  'ticket_id',
  'key_id',
]
/** Tables that have a column of WHOSE but need no mark `person`. */
const NOBODYS = ['sandbox_payments', 'smpp_leases', 'registrations']

async function columnsOf(t: TestApp): Promise<Map<string, string[]>> {
  const { rows } = await t.ctx.db.query<{ name: string; columns: string[] }>({
    text: `SELECT CASE table_schema WHEN 'public' THEN table_name ELSE table_schema || '.' || table_name END AS name,
        array_agg(column_name::text) AS columns
      FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'
        AND NOT (SELECT relispartition FROM pg_class WHERE oid = format('%I.%I', table_schema, table_name)::regclass) GROUP BY 1`,
  })
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

test('O-12: every table of the database has a rule of how long it is kept, and no rule is of a table that is gone', async () => {
  await using t = await startTestApp()
  const columns = await columnsOf(t)
  expect(Object.keys(RETENTION).sort()).toEqual([...columns.keys()].sort())
  const ofPeople = [...columns].filter(([, names]) => names.some((name) => WHOSE.includes(name))).map(([name]) => name)
  const unmarked = ofPeople.filter((name) => RETENTION[name]?.person === undefined)
  expect(unmarked.sort()).toEqual([...NOBODYS].sort())
})

test('O-12: every step runs, and the code of a number goes with the words of its message', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ balance: '100.00' })
  const supplier = await t.addFake()
  const { id, phone } = await buyOne(t, user)
  await pushSms(t, supplier, { phone })
  t.clock.advance(DAY)
  await sweepExpired(t.ctx)
  const codes = async () =>
    (
      await t.ctx.db.query<{ code: string | null }>({
        text: 'SELECT code FROM activations WHERE id = $1',
        values: [id],
      })
    ).rows
  await cleanUp(t.ctx)
  expect(await codes()).toEqual([{ code: '48213' }])
  t.clock.advance((t.ctx.config.messageKeepDays + 1) * DAY)
  await cleanUp(t.ctx)
  expect(await codes()).toEqual([{ code: null }])
  expect(t.log.lines.filter(({ level }) => level === 'error')).toEqual([])
})

test('the id of a message is forgotten after half a year, but not until its rental has ended as long ago', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const user = await t.makeUser({ balance: '500.00' })
  const bought = await buyOne(t, user)
  const rented = await rentOne(t, user)
  for (const { phone } of [bought, rented]) await pushSms(t, supplier, { phone, messageId: phone })
  const known = async () => {
    await cleanUp(t.ctx)
    const { rows } = await t.ctx.db.query<{ id: string }>({
      text: 'SELECT supplier_message_id AS id FROM message_ids ORDER BY message_id',
    })
    return rows.map(({ id }) => id)
  }
  t.clock.advance(179 * DAY)
  expect(await known()).toEqual([bought.phone, rented.phone])
  t.clock.advance(2 * DAY)
  // The rental has not been ended yet.
  expect(await known()).toEqual([rented.phone])
  await sweepRentals(t.ctx)
  t.clock.advance(179 * DAY)
  expect(await known()).toEqual([rented.phone])
  t.clock.advance(2 * DAY)
  expect(await known()).toEqual([])
})

test('a row of the audit log is never changed, but for the mail address of somebody who is gone', async () => {
  await using t = await startTestApp()
  const { db } = t.ctx
  await db.query({
    text: `INSERT INTO audit_log (at, actor, command, subject, reason, detail)
      VALUES (now(), 'anna', 'user:key', 'user:1', 'because', '{"email": "a@example.test", "ended": 2}')`,
  })
  for (const change of [`reason = 'another'`, `detail = '{}'`, `detail = detail || '{"email": "b@example.test"}'`]) {
    await expect(db.query({ text: `UPDATE audit_log SET ${change}` })).rejects.toThrow('append-only')
  }
  await expect(db.query({ text: 'DELETE FROM audit_log' })).rejects.toThrow('append-only')
  await db.query({ text: `UPDATE audit_log SET detail = detail - 'email'` })
  expect((await db.query({ text: 'SELECT detail FROM audit_log' })).rows).toEqual([{ detail: { ended: 2 } }])
})
