import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/db/pool.ts'
import { captureHolds, debitForHold, recordHold, releaseHolds } from '#server/money/settle-sql.ts'
import type { PurchaseLimits } from '#server/numbers/limits/limits.ts'
import { limitReachedSql } from '#server/numbers/limits/queries/limits-sql.ts'
import type { OrphanQuery } from '#server/numbers/sourcing/settle-orphans.ts'
import { COLUMNS, type RentalRow, rentalEvents } from './row.ts'

export type ExtensionHold = {
  rentalId: bigint
  userId: number
  hours: number
  priceMicros: bigint
  currency: Currency
  /** The most it may cost us, in the currency of the rental's cost. */
  costLimitMicros: bigint
  idempotencyKey: string | null
  inputHash: string | null
  limits: PurchaseLimits
  now: Date
}

/**
 * Holds the price of an extension and marks the rental, or does neither: null when the rental has ended or is being
 * extended, the account cannot pay or is blocked, its limit is reached, or the key is spent. The rental's row is locked before the account's, as everywhere.
 */
export async function reserveExtension(db: Db, input: ExtensionHold): Promise<bigint | null> {
  const { rows } = await db.query<{ id: bigint }>({
    name: 'rental-reserve-extension',
    text: `WITH subject AS MATERIALIZED (
      SELECT id FROM rentals WHERE id = $1 AND user_id = $2 AND state = 'active' AND extension_id IS NULL AND expires_at > $9
      FOR UPDATE
    ), ${debitForHold({
      userId: '$2',
      amount: '$4',
      currency: '$5',
      unless: `(NOT EXISTS (SELECT FROM subject)
        OR EXISTS (SELECT FROM charges WHERE user_id = $2 AND idempotency_key = $7)
        OR ${limitReachedSql({ userId: '$2', price: '$4', at: '$9', openLimit: null, dayLimit: '$10' })})`,
    })}, charge AS (
      INSERT INTO charges (user_id, purpose, rental_id, hours, price_micros, currency, money, idempotency_key, input_hash, created_at)
      SELECT user_id, 'extension', $1, $3, $4, $5, 'held', $7, $8, $9 FROM payer
      RETURNING id, user_id, price_micros, currency
    ), marked AS (
      UPDATE rentals SET extension_id = charge.id, cost_limit_micros = $6 FROM charge WHERE rentals.id = $1
    ), ${recordHold('charge', '$9', 'charge_id')}
    SELECT id FROM charge`,
    values: [
      input.rentalId,
      input.userId,
      input.hours,
      input.priceMicros,
      input.currency,
      input.costLimitMicros,
      input.idempotencyKey,
      input.inputHash,
      input.now,
      input.limits.daySpendMicros,
    ],
  })
  return rows[0]?.id ?? null
}

/**
 * The supplier has granted it: the time is the buyer's, and the price of the extension is captured, with that of the first
 * period when it is still held. False when it was settled before.
 */
export async function grantExtension(
  db: Db,
  input: { rentalId: bigint; chargeId: bigint; expiresAt: Date; warnAt: Date; costMicros: bigint; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'rental-grant-extension',
    text: `WITH extended AS (
      UPDATE rentals SET extension_id = NULL, hours = rentals.hours + charges.hours, expires_at = $3, warn_at = $4,
        warned_at = NULL, cost_micros = cost_micros + $5, captured_at = COALESCE(captured_at, $6)
      FROM charges WHERE rentals.id = $1 AND rentals.extension_id = $2 AND charges.id = $2
      RETURNING rentals.id, rentals.user_id
    ), settled AS (
      UPDATE charges SET money = 'captured', settled_at = $6 FROM extended
      WHERE charges.rental_id = extended.id AND charges.money = 'held'
      RETURNING charges.id, charges.user_id, charges.price_micros, charges.currency
    ), ${captureHolds('settled', '$6', 'charge_id')}, ${rentalEvents('extended', '$6', `'extended'`)}
    SELECT id FROM extended`,
    values: [input.rentalId, input.chargeId, input.expiresAt, input.warnAt, input.costMicros, input.now],
  })
  return rowCount === 1
}

/**
 * The supplier granted an extension whose money the buyer has back: its cost stays with us, and is counted once to what the
 * rental cost. The buyer's time is as it was. Null when the extension was not given up. The rental's row is locked before
 * the charge's, as everywhere.
 */
export async function chargeLateExtension(
  db: Db,
  input: { rentalId: bigint; chargeId: bigint; costMicros: bigint },
): Promise<'counted' | 'counted-before' | null> {
  const { rows } = await db.query<{ is_new: boolean }>({
    name: 'rental-charge-late-extension',
    text: `WITH subject AS MATERIALIZED (
      SELECT id FROM rentals WHERE id = $1 FOR UPDATE
    ), late AS (
      UPDATE charges SET late_cost_micros = $3 FROM subject
      WHERE charges.id = $2 AND charges.rental_id = subject.id AND charges.money = 'released' AND late_cost_micros IS NULL
      RETURNING charges.rental_id
    ), counted AS (
      UPDATE rentals SET cost_micros = cost_micros + $3 FROM late WHERE rentals.id = late.rental_id
    )
    SELECT EXISTS (SELECT FROM late) AS is_new FROM charges WHERE id = $2 AND rental_id = $1 AND money = 'released'`,
    values: [input.rentalId, input.chargeId, input.costMicros],
  })
  const [row] = rows
  if (row === undefined) return null
  return row.is_new ? 'counted' : 'counted-before'
}

/**
 * The supplier does not extend it, or nobody knows whether it did: the money is released. With `abandon`, a job goes on asking
 * what became of it. False when it was settled before.
 */
export async function releaseExtension(
  db: Db,
  input: { rentalId: bigint; chargeId: bigint; now: Date; abandon: boolean },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'rental-release-extension',
    text: `WITH refused AS (
      UPDATE rentals SET extension_id = NULL WHERE id = $1 AND extension_id = $2
      RETURNING id, user_id, supplier_id, supplier_reference, attempt
    ), settled AS (
      UPDATE charges SET money = 'released', settled_at = $3 FROM refused WHERE charges.id = $2 AND charges.money = 'held'
      RETURNING charges.id, charges.user_id, charges.price_micros, charges.currency, charges.hours
    ), ${releaseHolds('settled', '$3', 'charge_id')}, ${rentalEvents('refused', '$3', `'extension-refused'`)}, abandoned AS (
      SELECT graphile_worker.add_job('abandon-extension', json_build_object('supplierId', supplier_id,
        'rentalId', refused.id, 'chargeId', settled.id, 'reference', 'r' || refused.id || '-' || attempt,
        'supplierReference', supplier_reference, 'hours', hours), max_attempts := 25)
      FROM refused, settled WHERE $4
    )
    SELECT id FROM refused WHERE (SELECT count(*) FROM abandoned) >= 0`,
    values: [input.rentalId, input.chargeId, input.now, input.abandon],
  })
  return rowCount === 1
}

/** What an earlier request with this key made. */
export async function findExtensionByKey(
  db: Db,
  input: { userId: number; key: string },
): Promise<{ rental_id: bigint; money: 'held' | 'captured' | 'released'; input_hash: string | null } | null> {
  const { rows } = await db.query<{
    rental_id: bigint
    money: 'held' | 'captured' | 'released'
    input_hash: string | null
  }>({
    name: 'rental-find-extension-by-key',
    text: `SELECT rental_id, money, input_hash FROM charges
      WHERE user_id = $1 AND idempotency_key = $2 AND purpose = 'extension'`,
    values: [input.userId, input.key],
  })
  return rows[0] ?? null
}

/** A rental with the extension that is under way: how long it is for, and since when. */
export type ExtendedRental = RentalRow & { extension_id: bigint; extension_hours: number; asked_at: Date }

/** Extensions asked for until `before`, oldest first, after the place `after`. */
export async function listOpenExtensions(db: Db, { before, after, limit }: OrphanQuery): Promise<ExtendedRental[]> {
  const { rows } = await db.query<ExtendedRental>({
    name: 'rental-list-open-extensions',
    text: `SELECT ${COLUMNS}, c.hours AS extension_hours, c.created_at AS asked_at
      FROM rentals JOIN charges c ON c.id = rentals.extension_id
      WHERE rentals.extension_id IS NOT NULL AND c.created_at <= $1
        AND (c.created_at, rentals.id) > (COALESCE($2, '-infinity'::timestamptz), $3)
      ORDER BY c.created_at, rentals.id LIMIT $4`,
    values: [before, after?.createdAt ?? null, after?.id ?? 0n, limit],
  })
  return rows
}

/** The extension that is under way; null when there is none, or another. */
export async function findOpenExtension(
  db: Db,
  input: { rentalId: bigint; chargeId: bigint },
): Promise<ExtendedRental | null> {
  const { rows } = await db.query<ExtendedRental>({
    name: 'rental-find-open-extension',
    text: `SELECT ${COLUMNS}, c.hours AS extension_hours, c.created_at AS asked_at
      FROM rentals JOIN charges c ON c.id = rentals.extension_id WHERE rentals.id = $1 AND rentals.extension_id = $2`,
    values: [input.rentalId, input.chargeId],
  })
  return rows[0] ?? null
}
