import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { buyOne, eventsOf, expectBooksRight, pushSms, transfersOf } from '#test/builders/activation-rows.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { ANY_RENTAL_DUE } from '../rentals/queries/end.ts'
import { ANY_EXPIRED } from './queries/end.ts'
import { sweepExpired } from './sweep.ts'

const stateOf = async (t: TestApp, id: number) => {
  const { rows } = await t.ctx.db.query<{ state: string }>({
    text: 'SELECT state FROM activations WHERE id = $1',
    values: [id],
  })
  return rows[0]?.state
}

test('when the time is over, numbers without a code are refunded and those with one are finished', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const [empty, coded, again] = [await buyOne(t, buyer), await buyOne(t, buyer), await buyOne(t, buyer)]
  await pushSms(t, supplier, { phone: coded.phone })
  await pushSms(t, supplier, { phone: again.phone })
  await call(t, 'POST /api/v1/activations/{id}/again', { id: again.id }, { token: buyer.token })
  using live = await listen(t, buyer)
  t.clock.advance(20 * MINUTE - 1)
  expect(await sweepExpired(t.ctx)).toBe(0)
  t.clock.advance(1)
  expect(await sweepExpired(t.ctx)).toBe(3)
  expect(await Promise.all([empty, coded, again].map(({ id }) => stateOf(t, id)))).toEqual([
    'expired',
    'finished',
    'finished',
  ])
  const told = [
    await live.next('ActivationChanged'),
    await live.next('ActivationChanged'),
    await live.next('ActivationChanged'),
  ]
  expect(told.find(({ record }) => record.id === empty.id)).toMatchObject({
    record: { state: 'expired', money: 'released', final: true },
    balance: '74.00',
  })
  expect(told.find(({ record }) => record.id === coded.id)).toMatchObject({
    record: { state: 'finished' },
    balance: null,
  })
  expect(await transfersOf(t.ctx, empty.id)).toEqual(['hold', 'release'])
  expect(await eventsOf(t.ctx, empty.id)).toEqual(['activation.waiting', 'activation.expired'])
  expect(await sweepExpired(t.ctx)).toBe(0)
  await t.runJobs()
  expect(supplier.ended.map(({ ending }) => ending).sort()).toEqual(['expired', 'finished', 'finished'])
  await expectBooksRight(t.ctx)
})

test('the look for overdue numbers finds the index of each kind, so that it reads one entry however many wait', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  for (let number = 0; number < 5; number += 1) await buyOne(t, buyer)
  const { rows } = await t.ctx.db.query<{ 'QUERY PLAN': string }>({
    text: `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT ${ANY_EXPIRED} OR ${ANY_RENTAL_DUE}`,
    values: { now: t.clock.now() },
  })
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  for (const name of ['activations_expiry', 'rentals_expiry', 'rentals_capture', 'rentals_warning']) {
    expect(plan).toMatch(new RegExp(`Index (?:Only )?Scan using ${name}\\b`))
  }
})
