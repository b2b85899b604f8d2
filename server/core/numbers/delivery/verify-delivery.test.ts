import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import type { Db, Pool } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { typed } from '#test/harness/typed.ts'
import { deliveryInvariants } from './queries/delivery-invariants.ts'
import { checkDelivery, verifyDelivery, verifyDeliveryFromCheckpoint } from './verify-delivery.ts'

type Damage = { invariant: string; sql: string; says: RegExp }

const named = (service: string) => `(SELECT m.id FROM messages m JOIN activations a ON a.id = m.activation_id
  WHERE a.service_code = '${service}' AND m.given = 'named')`
const DAMAGES: Damage[] = [
  {
    invariant: 'a message that names a service stands under an order for it',
    sql: `UPDATE messages SET named_services = '{wa}' WHERE id = ${named('tg')}`,
    says: /^message \d+ names wa, but stands under activation \d+ for tg$/,
  },
  {
    invariant: 'a message that names a service stands under an order for it',
    sql: `UPDATE messages SET named_services = '{wa}', named_family = 'wa' WHERE rental_id IS NOT NULL`,
    says: /^message \d+ names wa, but stands under rental \d+ for tg$/,
  },
  {
    invariant: 'a message that names no service was given to the only account that had the number',
    sql: `UPDATE messages SET given = 'only-holder', named_by = NULL, named_services = NULL WHERE id = ${named('vk')}`,
    says: /^message \d+ names nothing and stands under activation \d+ of user \d+, but another had \d+ too$/,
  },
  {
    invariant: 'a late message stands under an order that has ended, and is not counted',
    sql: `UPDATE messages SET given = 'late' WHERE id = ${named('tg')}`,
    says: /^message \d+ is late, but activation \d+ is received$/,
  },
  {
    invariant: 'a closed notice stands under an activation, and one that was opened under a paid one',
    sql: `UPDATE messages SET given = 'notice' WHERE rental_id IS NOT NULL`,
    says: /^message \d+ is notice, but rental \d+ is active$/,
  },
  {
    invariant: 'a message stands under an order of its number, at its supplier',
    sql: `UPDATE messages SET phone = '1' WHERE id = ${named('tg')}`,
    says: /^message \d+ for 1 of supplier \d+ stands under activation \d+, which has \d+ of supplier \d+$/,
  },
  {
    invariant: 'a message that its supplier tied to an order stands under that order',
    sql: `UPDATE messages SET reference = '5-1' WHERE given = 'reference'`,
    says: /^message \d+ is for 5-1, but stands under activation \d+$/,
  },
  {
    invariant: 'what belongs to nobody stands under nobody, and what was given under somebody',
    sql: `UPDATE messages SET given = 'unmatched' WHERE id = ${named('tg')}`,
    says: /^message \d+ is unmatched, but stands under \d+$/,
  },
  {
    invariant: 'a notice of a mobile operator was given to nobody',
    sql: `UPDATE messages SET named_by = 'operator' WHERE id = ${named('tg')}`,
    says: /^message \d+ is an operator's notice, but is named$/,
  },
  {
    invariant: 'no message waits for staff that names the service of somebody who waited for it',
    sql: `UPDATE messages SET given = 'unmatched', activation_id = NULL WHERE id = ${named('vk')}`,
    says: /^message \d+ names vk and is unmatched, but somebody waited for it on \d+$/,
  },
  {
    invariant: 'whatever was attached by hand is in the audit log',
    sql: `UPDATE messages SET given = 'by-hand' WHERE id = ${named('tg')}`,
    says: /^message \d+ was attached to \d+ by nobody who is known$/,
  },
]

class Undo extends Error {}

async function problemsAfter(pool: Pool, { sql, invariant }: Damage): Promise<{ ok: boolean; problems: string[] }> {
  let found: { ok: boolean; problems: string[] } | undefined
  const work = transaction(pool, async (tx: Db) => {
    await tx.query({ text: 'ALTER TABLE messages DROP CONSTRAINT messages_fit' })
    expect((await tx.query({ text: sql })).rowCount, sql).toBe(1)
    const { ok, checks } = await checkDelivery(tx)
    found = { ok, problems: checks.find(({ name }) => name === invariant)?.problems ?? [] }
    throw new Undo()
  })
  await work.catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error
  })
  if (found === undefined) throw new Error('messages were not judged')
  return found
}

test('each decision that does not fit where its message stands is found, and said in words', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('two', [fakeOffer, { ...fakeOffer, serviceCode: 'vk' }])
  const renting = await addRenting(t)
  const [anna, boris] = [await t.makeUser(), await t.makeUser({ balance: '500.00' })]
  const telegram = await buyOne(t, anna)
  const tied = await buyOne(t, anna)
  supplier.onBuy = async (order) => ({ ...supplier.sell(order), phone: telegram.phone })
  await call(t, 'POST /api/v1/activations', { service_id: 'vk', country_id: 2 }, { token: boris.token })
  const rental = await rentOne(t, boris, { service_id: 'tg' })
  t.clock.advance(MINUTE)
  await pushSms(t, supplier, { phone: telegram.phone })
  await pushSms(t, supplier, {
    phone: telegram.phone,
    sender: 'VK',
    text: 'VK: 345678 - use this code to activate your VK profile.',
  })
  await pushSms(t, supplier, { phone: tied.phone, sender: '900', text: 'Code 1234', reference: `${tied.id}-1` })
  await pushSms(t, renting, { phone: rental.phone })
  await pushSms(t, supplier, { phone: '79990000000' })

  const right = await verifyDelivery(t.ctx.db)
  expect(right.checks.flatMap(({ problems }) => problems)).toEqual([])
  expect(right.checks.map(({ name }) => name)).toEqual(deliveryInvariants(new Map()).map(({ name }) => name))
  for (const damage of DAMAGES) {
    const { ok, problems } = await problemsAfter(t.ctx.db, damage)
    expect.soft(ok, damage.sql).toBe(false)
    expect.soft(problems[0], damage.sql).toMatch(damage.says)
  }
  expect(new Set(DAMAGES.map(({ invariant }) => invariant))).toEqual(new Set(right.checks.map(({ name }) => name)))

  const said = await typed(t.database, 'ledger:verify')
  expect(said).toMatchObject({ code: 0, err: '' })
  expect(said.out).toContain('Every message stands where its decision says.\n')
  await t.ctx.db.query({ text: `UPDATE messages SET named_services = '{wa}' WHERE id = ${named('tg')}` })
  // By the command line's clock, the messages are older than two days, so they are not checked a second time.
  const again = await typed(t.database, 'ledger:verify')
  expect(again.code).toBe(0)
  expect(again.out).toMatch(/stands under an order for it \(0 checked\)\n/)
  expect(again.out + again.err).toMatch(/Messages through \d+ were judged at .+ and not looked at again\./)
  const wrong = await typed(t.database, 'ledger:verify', '--full')
  expect(wrong.code).toBe(1)
  expect(wrong.out).toMatch(
    /^WRONG {2}a message that names a service stands under an order for it \(1 wrong, \d+ checked\)$/m,
  )
  expect(wrong.out).toContain('MESSAGES STAND WHERE THEY DO NOT BELONG.')
})

test('a hundred wrong messages are counted in full, and told of in twenty lines', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const { id, phone } = await buyOne(t, await t.makeUser())
  await t.ctx.db.query({
    text: `INSERT INTO messages (supplier_id, phone, sender, body, activation_id, received_at, given, named_by, named_services)
      SELECT $supplierId, $phone, 'Google', 'x', $id, $receivedAt, 'named', 'sender', '{go}' FROM generate_series(1, 100)`,
    values: { supplierId: supplier.id, phone, id, receivedAt: new Date(t.clock.now().getTime() + HOUR) },
  })
  const { checks } = await verifyDelivery(t.ctx.db)
  expect(checks[0]).toMatchObject({ checked: 100, wrong: 100, problems: { length: 20 } })
})

test('from a checkpoint on, new messages, those of the last days and those attached by hand are judged, and wrong ones in full', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const user = await t.makeUser()
  const { id, phone } = await buyOne(t, user)
  const { db } = t.ctx
  const verify = (full = false) => verifyDeliveryFromCheckpoint(db, { full, now: t.clock.now() })
  const checked = async () =>
    (await verify()).checks.find(({ name }) => name.startsWith('what belongs to nobody'))?.checked
  await pushSms(t, supplier, { phone })
  await pushSms(t, supplier, { phone: '79990000000', messageId: 'stray' })
  expect(await checked()).toBe(2)
  // A message may be handed over for a day, so it is checked again until it is two days old.
  t.clock.advance(48 * HOUR)
  expect(await checked()).toBe(2)
  t.clock.advance(1)
  expect([await checked(), await checked()]).toEqual([2, 0])
  await pushSms(t, supplier, { phone: '79990000001', messageId: 'another' })
  expect(await checked()).toBe(1)

  const attach = await db.query<{ id: bigint }>({
    text: `UPDATE messages SET given = 'by-hand', activation_id = $1 WHERE phone = '79990000000' RETURNING id`,
    values: [id],
  })
  expect(await checked()).toBe(1)
  await db.query({
    text: `INSERT INTO audit_log (at, actor, command, subject, reason) VALUES ($1, 'anna', 'message:attach', $2, 'because')`,
    values: [t.clock.now(), `message:${attach.rows[0]?.id}`],
  })
  const wrong = await verify()
  expect({ ok: wrong.ok, from: wrong.from }).toEqual({ ok: false, from: null })
  expect(wrong.checks.flatMap(({ problems }) => problems)).toEqual([
    expect.stringMatching(/^message \d+ for 79990000000 of supplier \d+ stands under activation/),
  ])
  // A failed check appends no checkpoint, so the next check finds the fault again.
  expect((await verify()).ok).toBe(false)
})
