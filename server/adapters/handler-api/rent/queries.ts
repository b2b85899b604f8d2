import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'

export type ResoldRent = {
  reference: string
  state: 'asking' | 'open' | 'refused' | 'none' | 'ended'
  costMicros: bigint
  askedAt: Date
  rentId: string | null
  phone: string | null
  expiresAt: Date
  /** Rentals that the supplier already listed before our request, none of them ours. */
  strangers: string[]
}

const COLUMNS = `reference, state, cost_micros AS "costMicros", asked_at AS "askedAt", rent_id AS "rentId", phone,
  expires_at AS "expiresAt", strangers`

type Key = { supplierId: number; reference: string }
type Asked = { service: string; country: string; costMicros: bigint; strangers: string[]; expiresAt: Date }

/** Returns false if the rental was requested before. `costMicros` is the highest price that may be paid. */
export async function insertRent(
  db: Db,
  rent: Key & Asked & { state: 'asking' | 'refused' | 'none'; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'resold-insert-rent',
    text: `INSERT INTO resold_rents (supplier_id, reference, state, service, country, cost_micros, strangers, asked_at,
        expires_at)
      VALUES ($supplierId, $reference, $state, $service, $country, $costMicros, $strangers::text[], $now, $expiresAt)
      ON CONFLICT ON CONSTRAINT resold_rents_reference DO NOTHING`,
    values: rent,
  })
  return rowCount === 1
}

/** Returns false if the order has moved on, or the number belongs to another order. */
export async function markRentOpen(
  db: Db,
  rented: Key & { rentId: string; phone: string; costMicros: bigint },
): Promise<boolean> {
  try {
    const { rowCount } = await db.query({
      name: 'resold-mark-rent-open',
      text: `UPDATE resold_rents SET state = 'open', rent_id = $rentId, phone = $phone, cost_micros = $costMicros
        WHERE supplier_id = $supplierId AND reference = $reference AND state = 'asking'`,
      values: rented,
    })
    return rowCount === 1
  } catch (error) {
    if (isUniqueViolation(error, 'resold_rents_rent_once')) return false
    throw error
  }
}

/** Closes a rental that got no reply. Returns false if it has one by now. */
export async function markUnrented(db: Db, rent: Key & { state: 'refused' | 'none' }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'resold-mark-unrented',
    text: `UPDATE resold_rents SET state = $state
      WHERE supplier_id = $supplierId AND reference = $reference AND state = 'asking'`,
    values: rent,
  })
  return rowCount === 1
}

export async function markRentEnded(db: Db, end: Key & { now: Date }): Promise<void> {
  await db.query({
    name: 'resold-mark-rent-ended',
    text: `UPDATE resold_rents SET state = 'ended', ended_at = $now
      WHERE supplier_id = $supplierId AND reference = $reference AND state = 'open'`,
    values: end,
  })
}

export async function findRent(db: Db, key: Key): Promise<ResoldRent | null> {
  const { rows } = await db.query<ResoldRent>({
    name: 'resold-find-rent',
    text: `SELECT ${COLUMNS} FROM resold_rents WHERE supplier_id = $supplierId AND reference = $reference`,
    values: key,
  })
  return rows[0] ?? null
}

const MAX_OPEN = 10_000

/** Lists open rentals, oldest first. */
export async function listOpenRents(db: Db, supplierId: number): Promise<ResoldRent[]> {
  const { rows } = await db.query<ResoldRent>({
    name: 'resold-list-open-rents',
    text: `SELECT ${COLUMNS} FROM resold_rents WHERE supplier_id = $1 AND state = 'open' ORDER BY asked_at LIMIT ${MAX_OPEN}`,
    values: [supplierId],
  })
  return rows
}

/** Lists rentals requested since then that have got no reply. */
export async function listLostRents(db: Db, input: { supplierId: number; since: Date }): Promise<string[]> {
  const { rows } = await db.query<{ reference: string }>({
    name: 'resold-list-lost-rents',
    text: `SELECT reference FROM resold_rents WHERE supplier_id = $supplierId AND state = 'asking' AND asked_at > $since
      ORDER BY asked_at LIMIT 10`,
    values: input,
  })
  return rows.map(({ reference }) => reference)
}

/** Returns those of the supplier's rentals that belong to some order. */
export async function listKnownRents(db: Db, input: { supplierId: number; rentIds: string[] }): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>({
    name: 'resold-list-known-rents',
    text: `SELECT rent_id AS id FROM resold_rents WHERE supplier_id = $supplierId AND rent_id = ANY ($rentIds::text[])`,
    values: input,
  })
  return new Set(rows.map(({ id }) => id))
}

export type ResoldExtension = {
  state: 'asking' | 'extended' | 'refused'
  costMicros: bigint
  askedAt: Date
  historyBefore: number | null
}
type ExtensionKey = { supplierId: number; extensionReference: string }

/** Returns false if the extension was requested before. */
export async function insertExtension(
  db: Db,
  extension: ExtensionKey & {
    reference: string
    state: 'asking' | 'refused'
    hours: number
    costMicros: bigint
    historyBefore: number | null
    now: Date
  },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'resold-insert-extension',
    text: `INSERT INTO resold_extensions (supplier_id, extension_reference, reference, state, hours, cost_micros,
        history_before, asked_at)
      VALUES ($supplierId, $extensionReference, $reference, $state, $hours, $costMicros, $historyBefore, $now)
      ON CONFLICT ON CONSTRAINT resold_extensions_reference DO NOTHING`,
    values: extension,
  })
  return rowCount === 1
}

export async function findResoldExtension(db: Db, key: ExtensionKey): Promise<ResoldExtension | null> {
  const { rows } = await db.query<ResoldExtension>({
    name: 'resold-find-extension',
    text: `SELECT state, cost_micros AS "costMicros", asked_at AS "askedAt", history_before AS "historyBefore"
      FROM resold_extensions
      WHERE supplier_id = $supplierId AND extension_reference = $extensionReference`,
    values: key,
  })
  return rows[0] ?? null
}

/**
 * Confirms an extension that got no reply, and moves the end of the rental. Returns the new end, or null if it was
 * settled before.
 */
export async function markExtended(db: Db, extension: ExtensionKey & { costMicros: bigint }): Promise<Date | null> {
  const { rows } = await db.query<{ expiresAt: Date }>({
    name: 'resold-mark-extended',
    text: `WITH extended AS (
        UPDATE resold_extensions SET state = 'extended', cost_micros = $costMicros
        WHERE supplier_id = $supplierId AND extension_reference = $extensionReference AND state = 'asking'
        RETURNING supplier_id, reference, hours
      ) UPDATE resold_rents r SET expires_at = r.expires_at + make_interval(hours => e.hours) FROM extended e
      WHERE r.supplier_id = e.supplier_id AND r.reference = e.reference RETURNING r.expires_at AS "expiresAt"`,
    values: extension,
  })
  return rows[0]?.expiresAt ?? null
}

export async function markUnextended(db: Db, key: ExtensionKey): Promise<void> {
  await db.query({
    name: 'resold-mark-unextended',
    text: `UPDATE resold_extensions SET state = 'refused'
      WHERE supplier_id = $supplierId AND extension_reference = $extensionReference AND state = 'asking'`,
    values: key,
  })
}

/** Stores the new id under which the supplier may continue a rental. */
export async function renameRent(db: Db, rent: Key & { rentId: string }): Promise<void> {
  await db.query({
    name: 'resold-rename-rent',
    text: `UPDATE resold_rents SET rent_id = $rentId
      WHERE supplier_id = $supplierId AND reference = $reference AND rent_id <> $rentId`,
    values: rent,
  })
}
