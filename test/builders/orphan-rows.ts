import { MINUTE } from '#contract/time.ts'
import { reserve } from '#server/core/numbers/activations/queries/purchase.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import type { TestApp, TestUser } from '#test/harness/harness.ts'

/** Creates the row that a process leaves if it dies between the hold of the money and the settlement. */
export async function leaveOrphan(
  t: TestApp,
  user: TestUser,
  supplierId: number,
  excludedPrefixes: string[] = [],
): Promise<number> {
  const now = t.clock.now()
  const row = await reserve(t.ctx.db, {
    userId: user.id,
    serviceCode: 'tg',
    countryId: 2,
    operatorWanted: null,
    priceMicros: 13_000_000n,
    currency: 'rub',
    supplierId,
    costLimitMicros: 10_000_000n,
    costCurrency: 'rub',
    excludedPrefixes,
    channel: 'site',
    idempotencyKey: null,
    inputHash: null,
    limits: { openNumbers: null, daySpendMicros: null },
    nodeId: nodeOf(t.ctx).id,
    now,
    expiresAt: new Date(now.getTime() + 20 * MINUTE),
  })
  if (row === null) throw new Error('nothing was reserved')
  return Number(row.id)
}

export const stateOf = async (t: TestApp, id: number) => {
  const { rows } = await t.ctx.db.query<{ state: string }>({
    text: 'SELECT state FROM activations WHERE id = $1',
    values: [id],
  })
  return rows[0]?.state
}

export const availableOf = async (t: TestApp) => {
  const { rows } = await t.ctx.db.query<{ micros: bigint }>({ text: 'SELECT available_micros AS micros FROM accounts' })
  return rows.map((row) => row.micros)
}
