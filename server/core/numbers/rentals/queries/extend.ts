import type { Currency } from '#contract/money.ts'
import {
  keyRefuses,
  limitReached,
  limitValues,
  type PurchaseLimits,
} from '#server/core/numbers/limits/queries/limits-sql.ts'
import { type OrphanQuery, orphanValues } from '#server/core/numbers/sourcing/queries/orphan-values.ts'
import type { Db } from '#server/house/db/pool.ts'
import { captureHolds, debitForHold, recordHold, releaseHolds } from '#server/house/money/settle-sql.ts'
import { COLUMNS, endRentalQueued, PAID_MICROS, type RentalRow, rentalEvents, STORED_COLUMNS } from './row.ts'

export type ExtensionHold = {
  rentalId: bigint
  userId: number
  hours: number
  priceMicros: bigint
  currency: Currency
  /** The highest cost that the extension may have, in the currency of the rental's cost. */
  costLimitMicros: bigint
  apiKeyId?: number | null
  idempotencyKey: string | null
  inputHash: string | null
  limits: PurchaseLimits
  /** The node that asks for the extension (server/house/nodes). */
  nodeId: bigint
  now: Date
}

/**
 * Holds the price and marks the rental as being extended, or does neither. Returns null if the rental has ended or is
 * being extended, there is too little money, or the account, a limit or the API key refuses. The rental's row is locked
 * before the account's row; every statement uses this sequence.
 */
export async function reserveExtension(db: Db, input: ExtensionHold): Promise<ExtendedRental | null> {
  const { rows } = await db.query<ExtendedRental>({
    name: 'rental-reserve-extension',
    text: `WITH subject AS MATERIALIZED (
      SELECT id FROM rentals WHERE id = $rentalId AND user_id = $userId AND state = 'active' AND extension_id IS NULL AND expires_at > $now
      FOR UPDATE
    ), ${debitForHold(`(NOT EXISTS (SELECT FROM subject)
        OR EXISTS (SELECT FROM charges WHERE user_id = $userId AND idempotency_key = $idempotencyKey)
        OR ${limitReached({ opensNumber: false })} OR ${keyRefuses()})`)}, charge AS (
      INSERT INTO charges (user_id, purpose, rental_id, hours, price_micros, currency, money, idempotency_key, input_hash, created_at, api_key_id)
      SELECT user_id, 'extension', $rentalId, $hours, $priceMicros, $currency, 'held', $idempotencyKey, $inputHash, $now, $apiKeyId FROM payer
      RETURNING id, user_id, price_micros, currency, hours AS extension_hours, created_at AS asked_at
    ), marked AS (
      UPDATE rentals SET extension_id = charge.id, cost_limit_micros = $costLimitMicros, node_id = $nodeId FROM charge WHERE rentals.id = $rentalId
      RETURNING ${COLUMNS}, extension_hours, asked_at
    ), ${recordHold('charge', 'charge_id')}
    SELECT * FROM marked`,
    values: { apiKeyId: null, ...input, ...limitValues(input.limits) },
  })
  return rows[0] ?? null
}

type OneExtension = { rentalId: bigint; chargeId: bigint; now: Date }

/**
 * Extends the rental, and captures the money of the extension and of a first period that is still held. Returns null if
 * the extension was settled before.
 */
export async function grantExtension(
  db: Db,
  input: OneExtension & { nodeId: bigint; expiresAt: Date; warnAt: Date; costMicros: bigint },
): Promise<RentalRow | null> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-grant-extension',
    text: `WITH extended AS (
      UPDATE rentals SET extension_id = NULL, hours = rentals.hours + charges.hours, expires_at = $expiresAt, warn_at = $warnAt,
        warned_at = NULL, cost_micros = cost_micros + $costMicros, captured_at = COALESCE(captured_at, $now)
      FROM charges WHERE rentals.id = $rentalId AND rentals.extension_id = $chargeId AND rentals.node_id = $nodeId AND charges.id = $chargeId
      RETURNING ${STORED_COLUMNS}, ${PAID_MICROS} + charges.price_micros AS price_micros, charges.currency
    ), settled AS (
      UPDATE charges SET money = 'captured', settled_at = $now FROM extended
      WHERE charges.rental_id = extended.id AND charges.money = 'held'
      RETURNING charges.id, charges.user_id, charges.price_micros, charges.currency
    ), ${captureHolds('settled', 'charge_id')}, ${rentalEvents('extended', `'extended'`)}
    SELECT * FROM extended`,
    values: input,
  })
  return rows[0] ?? null
}

/**
 * Adds, only once, the cost of a late extension to the rental's cost. Late means granted after the extension's money
 * was released. The buyer's time does not change; if the rental has ended, the supplier is told again that it has.
 * Returns null if the extension's money was not released. The rental's row is locked before the charge's row.
 */
export async function chargeLateExtension(
  db: Db,
  input: { rentalId: bigint; chargeId: bigint; costMicros: bigint },
): Promise<'counted' | 'counted-before' | null> {
  const { rows } = await db.query<{ is_new: boolean }>({
    name: 'rental-charge-late-extension',
    queuesJobs: true,
    text: `WITH subject AS MATERIALIZED (
      SELECT id FROM rentals WHERE id = $rentalId FOR UPDATE
    ), late AS (
      UPDATE charges SET late_cost_micros = $costMicros FROM subject
      WHERE charges.id = $chargeId AND charges.rental_id = subject.id AND charges.money = 'released' AND late_cost_micros IS NULL
      RETURNING charges.rental_id
    ), counted AS (
      UPDATE rentals SET cost_micros = cost_micros + $costMicros FROM late WHERE rentals.id = late.rental_id
      RETURNING rentals.id, rentals.supplier_id, rentals.ended_at
    ), over AS (SELECT id, supplier_id FROM counted WHERE ended_at IS NOT NULL)
    SELECT EXISTS (SELECT FROM late) AS is_new FROM charges
    WHERE id = $chargeId AND rental_id = $rentalId AND money = 'released' AND ${endRentalQueued('over')} IS NOT FALSE`,
    values: input,
  })
  const [row] = rows
  if (row === undefined) return null
  return row.is_new ? 'counted' : 'counted-before'
}

/**
 * Releases the money of an extension of the node `nodeId`; null means any node. With `abandon`, a job finds out what the
 * supplier did. Returns false if the extension was settled before.
 */
export async function releaseExtension(
  db: Db,
  input: OneExtension & { nodeId: bigint | null; abandon: boolean },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'rental-release-extension',
    queuesJobs: true,
    text: `WITH refused AS (
      UPDATE rentals SET extension_id = NULL WHERE id = $rentalId AND extension_id = $chargeId AND ($nodeId::bigint IS NULL OR node_id = $nodeId)
      RETURNING id, user_id, supplier_id, supplier_reference, attempt
    ), settled AS (
      UPDATE charges SET money = 'released', settled_at = $now FROM refused WHERE charges.id = $chargeId AND charges.money = 'held'
      RETURNING charges.id, charges.user_id, charges.price_micros, charges.currency, charges.hours
    ), ${releaseHolds('settled', 'charge_id')}, ${rentalEvents('refused', `'extension-refused'`)}, abandoned AS (
      SELECT queue_job('abandon-extension', json_build_object('supplierId', supplier_id,
        'rentalId', refused.id, 'chargeId', settled.id, 'reference', 'r' || refused.id || '-' || attempt,
        'supplierReference', supplier_reference, 'hours', hours), 25)
      FROM refused, settled WHERE $abandon
    )
    SELECT FROM refused WHERE (SELECT count(*) FROM abandoned) >= 0`,
    values: input,
  })
  return rowCount === 1
}

export type FoundExtension = {
  rental_id: bigint
  money: 'held' | 'captured' | 'released'
  price_micros: bigint
  input_hash: string | null
}

export async function findExtensionByKey(
  db: Db,
  input: { userId: number; key: string },
): Promise<FoundExtension | null> {
  const { rows } = await db.query<FoundExtension>({
    name: 'rental-find-extension-by-key',
    text: `SELECT rental_id, money, price_micros, input_hash FROM charges
      WHERE user_id = $1 AND idempotency_key = $2 AND purpose = 'extension'`,
    values: [input.userId, input.key],
  })
  return rows[0] ?? null
}

export type ExtendedRental = RentalRow & { extension_id: bigint; extension_hours: number; asked_at: Date }

export const ANY_RENTING = `EXISTS (SELECT FROM rentals WHERE state = 'reserving')
  OR EXISTS (SELECT FROM rentals WHERE extension_id IS NOT NULL)`

export async function listOpenExtensions(db: Db, query: OrphanQuery): Promise<ExtendedRental[]> {
  const { rows } = await db.query<ExtendedRental>({
    name: 'rental-list-open-extensions',
    text: `SELECT ${COLUMNS}, c.hours AS extension_hours, c.created_at AS asked_at
      FROM rentals JOIN charges c ON c.id = rentals.extension_id
      WHERE rentals.extension_id IS NOT NULL AND rentals.node_id = $nodeId AND c.created_at <= $before
        AND (c.created_at, rentals.id) > ($afterAt, $afterId)
      ORDER BY c.created_at, rentals.id LIMIT $limit`,
    values: orphanValues(query),
  })
  return rows
}
