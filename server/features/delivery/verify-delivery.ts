import { HOUR } from '#contract/time.ts'
import type { Db, Pool } from '#server/db/pool.ts'
import { transaction } from '#server/db/transaction.ts'
import { listServiceRows } from '#server/features/catalog/queries.ts'
import { readFamilies } from '#server/features/messages/families.ts'
import type { LedgerCheck } from '#server/money/verify.ts'
import { checkInvariant, deliveryInvariants, readWithoutHaste } from './queries/delivery-invariants.ts'

export type DeliveryReport = { ok: boolean; checks: LedgerCheck[] }

/** Of one reading of everything there is. */
const CHECK_LIMIT_MS = 6 * HOUR

/** Judges the stored decision about every message against where the message stands, in one snapshot that nothing waits for. */
export async function verifyDelivery(pool: Pool): Promise<DeliveryReport> {
  return transaction(pool, async (tx) => {
    await tx.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY' })
    return checkDelivery({ query: (query) => tx.query({ limitMs: CHECK_LIMIT_MS, ...query }) })
  })
}

/** The same inside a transaction of the caller's. */
export async function checkDelivery(tx: Db): Promise<DeliveryReport> {
  await readWithoutHaste(tx)
  const families = readFamilies()
  const services = await listServiceRows(tx)
  const pairs = services
    .map(({ code }) => [code, families.of(code)] as const)
    .filter(([code, family]) => code !== family)
  const checks: LedgerCheck[] = []
  for (const invariant of deliveryInvariants(new Map(pairs))) checks.push(await checkInvariant(tx, invariant))
  return { ok: checks.every(({ wrong }) => wrong === 0), checks }
}
