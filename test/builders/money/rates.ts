import { transaction } from '#server/house/db/transaction.ts'
import { storeRate } from '#server/house/rates/queries.ts'
import type { TestApp } from '#test/harness/harness.ts'

export async function setRate(t: TestApp, currency: string, roubles: bigint): Promise<void> {
  const rate = { currency, rubMicros: roubles * 1_000_000n, source: 'test', now: t.clock.now() }
  await transaction(t.ctx.db, (tx) => storeRate(tx, rate))
}

export async function setBitcoin(t: TestApp, dollars: bigint): Promise<void> {
  await setRate(t, 'usd', 80n)
  await setRate(t, 'btc', dollars * 80n)
}
