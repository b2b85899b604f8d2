import { expect, test } from 'vitest'
import { HOUR } from '#contract/time.ts'
import { NO_NODE } from '#server/house/nodes/node.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { grantExtension, reserveExtension } from './extend.ts'
import { findAnyRental } from './read.ts'

test('rows that the statements of an extension send back are the rows of the table', async () => {
  await using t = await startTestApp()
  await addRenting(t)
  const buyer = await t.makeUser({ balance: '2000.00' })
  const { id } = await rentOne(t, buyer)
  const rentalId = BigInt(id)
  for (const hours of [4, 24]) {
    const now = t.clock.now()
    const held = await reserveExtension(t.ctx.db, {
      rentalId,
      userId: buyer.id,
      hours,
      priceMicros: BigInt(hours) * 1_000_000n,
      currency: 'rub',
      costLimitMicros: 3_000_000n,
      idempotencyKey: null,
      inputHash: null,
      limits: { openNumbers: null, daySpendMicros: null },
      nodeId: NO_NODE,
      now,
    })
    if (held === null) throw new Error('nothing was held')
    expect(held).toEqual({ ...(await findAnyRental(t.ctx.db, rentalId)), extension_hours: hours, asked_at: now })
    const expiresAt = new Date(held.expires_at.getTime() + hours * HOUR)
    const granted = {
      rentalId,
      chargeId: held.extension_id,
      expiresAt,
      warnAt: expiresAt,
      costMicros: 1n,
      nodeId: NO_NODE,
      now,
    }
    const extended = await grantExtension(t.ctx.db, granted)
    expect(extended).toEqual(await findAnyRental(t.ctx.db, rentalId))
    const paidMicros = held.price_micros + BigInt(hours) * 1_000_000n
    expect(extended).toMatchObject({ extension_id: null, price_micros: paidMicros, expires_at: expiresAt })
    expect(await grantExtension(t.ctx.db, granted)).toBeNull()
  }
})
