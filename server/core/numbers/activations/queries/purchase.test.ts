import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { NO_NODE } from '#server/house/nodes/node.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { type Reservation, reserve, settleBought } from './purchase.ts'
import { findAnyActivation } from './read.ts'

test('rows that the statements of a purchase do not send back are the rows of the table', async () => {
  await using t = await startTestApp()
  const [buyer, supplier] = [await t.makeUser({ balance: '100' }), await t.addFake('fake')]
  const now = t.clock.now()
  const plain: Reservation = {
    userId: buyer.id,
    serviceCode: 'tg',
    countryId: 2,
    operatorWanted: null,
    supplierId: supplier.id,
    channel: 'site',
    priceMicros: 1_000_000n,
    currency: 'rub',
    costLimitMicros: 900_000n,
    costCurrency: 'rub',
    excludedPrefixes: [],
    idempotencyKey: null,
    inputHash: null,
    limits: { openNumbers: null, daySpendMicros: null },
    nodeId: NO_NODE,
    now,
    expiresAt: new Date(now.getTime() + 20 * MINUTE),
  }
  const full: Reservation = {
    ...plain,
    operatorWanted: 'mts',
    excludedPrefixes: ['7900', '7901'],
    idempotencyKey: 'once',
    inputHash: 'x',
    route: 'cheapest',
  }
  for (const [place, reservation] of [plain, full].entries()) {
    const reserved = await reserve(t.ctx.db, reservation)
    if (reserved === null) throw new Error('nothing was held')
    expect(reserved).toEqual(await findAnyActivation(t.ctx.db, reserved.id))
    const sold = { phone: `7705000000${place}`, operator: 'altel', supplierReference: 's', costMicros: 800_000n }
    const expiresAt = place === 0 ? {} : { expiresAt: new Date(now.getTime() + MINUTE) }
    const number = {
      ...sold,
      ...expiresAt,
      id: reserved.id,
      attempt: 1,
      family: 'tg',
      sendersKnown: true,
      nodeId: NO_NODE,
      now,
    }
    const settled = await settleBought(t.ctx.db, number, reserved)
    expect(settled).toEqual(await findAnyActivation(t.ctx.db, reserved.id))
    expect(settled?.expires_at).toEqual(place === 0 ? reservation.expiresAt : new Date(now.getTime() + MINUTE))
  }
  const { rows } = await t.ctx.db.query({ text: `SELECT data FROM events WHERE kind = 'activation.routed'` })
  expect(rows).toEqual([{ data: { why: 'cheapest' } }])
})
