import { HOUR } from '#contract/time.ts'
import { listServiceRows } from '#server/core/catalog/offers/queries.ts'
import { readFamilies } from '#server/core/numbers/messages/families.ts'
import type { Db, Pool } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import type { LedgerCheck } from '#server/house/money/verify.ts'
import { LATE_MS } from '../ownership/choose-owner.ts'
import {
  appendDeliveryCheckpoint,
  type DeliveryCheckpoint,
  findDeliveryCheckpoint,
  lastMessageBefore,
  messagesSince,
} from './queries/delivery-checkpoints.ts'
import { checkInvariant, deliveryInvariants, readWithoutHaste } from './queries/delivery-invariants.ts'

export type DeliveryReport = {
  ok: boolean
  checks: LedgerCheck[]
  /** The checkpoint from which messages were read; null means that all messages were read. */
  from: DeliveryCheckpoint | null
}

const CHECK_LIMIT_MS = 6 * HOUR
/** The age in ms up to which a message is checked again, because it may be handed over within LATE_MS. */
const UNSETTLED_MS = 2 * LATE_MS

/** Checks that every stored message went to the right order, in one snapshot and without waiting for locks. */
export async function verifyDelivery(pool: Pool): Promise<DeliveryReport> {
  return inSnapshot(pool, (tx) => checkDelivery(tx))
}

/**
 * Checks the messages after the last checkpoint (with `full`, all messages) and appends a checkpoint if no fault is
 * found. If a fault is found after a checkpoint, all messages are checked, so that the report names all faults.
 */
export async function verifyDeliveryFromCheckpoint(
  pool: Pool,
  { full, now }: { full: boolean; now: Date },
): Promise<DeliveryReport> {
  const from = full ? null : await findDeliveryCheckpoint(pool)
  const { report, throughMessage } = await inSnapshot(pool, async (tx) => ({
    report: await checkDelivery(tx, from),
    throughMessage: await lastMessageBefore(tx, new Date(now.getTime() - UNSETTLED_MS)),
  }))
  if (!report.ok) return from === null ? report : verifyDeliveryFromCheckpoint(pool, { full: true, now })
  await appendDeliveryCheckpoint(pool, { at: now, recounted: from === null, throughMessage })
  return report
}

async function inSnapshot<T>(pool: Pool, work: (tx: Db) => Promise<T>): Promise<T> {
  return transaction(pool, async (tx) => {
    await tx.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY' })
    return work({ query: (query) => tx.query({ limitMs: CHECK_LIMIT_MS, ...query }) })
  })
}

export async function checkDelivery(tx: Db, from: DeliveryCheckpoint | null = null): Promise<DeliveryReport> {
  await readWithoutHaste(tx)
  const families = readFamilies()
  const services = await listServiceRows(tx)
  const pairs = services
    .map(({ code }) => [code, families.of(code)] as const)
    .filter(([code, family]) => code !== family)
  const messages = messagesSince(from)
  const checks: LedgerCheck[] = []
  for (const invariant of deliveryInvariants(new Map(pairs))) {
    checks.push(await checkInvariant(tx, invariant, messages))
  }
  return { ok: checks.every(({ wrong }) => wrong === 0), checks, from }
}
