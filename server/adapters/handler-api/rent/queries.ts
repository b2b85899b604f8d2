import { createOrderBook, type OrderKey } from '#server/adapters/shared/resold/queries/order-book.ts'
import type { Db } from '#server/house/db/pool.ts'

export type ResoldRent = {
  reference: string
  state: 'asking' | 'open' | 'refused' | 'none' | 'ended'
  costMicros: bigint
  askedAt: Date
  rentId: string | null
  phone: string | null
  expiresAt: Date
  /** The ids of rentals that the supplier listed before our request and that are not ours. */
  strangers: string[]
}

const COLUMNS = `reference, state, cost_micros AS "costMicros", asked_at AS "askedAt", rent_id AS "rentId", phone,
  expires_at AS "expiresAt", strangers`

export const resoldRents = createOrderBook<
  { service: string; country: string; strangers: string[]; expiresAt: Date },
  'refused' | 'none'
>({
  name: 'resold-rents',
  table: 'resold_rents',
  theirId: 'rent_id',
  once: 'resold_rents_rent_once',
  held: 'open',
  abandon: 'abandon-rental',
  asked: { service: 'service', country: 'country', strangers: 'strangers', expiresAt: 'expires_at' },
})

export async function markRentEnded(db: Db, end: OrderKey & { now: Date }): Promise<void> {
  await db.query({
    name: 'resold-mark-rent-ended',
    text: `UPDATE resold_rents SET state = 'ended', ended_at = $now
      WHERE supplier_id = $supplierId AND reference = $reference AND state = 'open'`,
    values: end,
  })
}

export async function findRent(db: Db, key: OrderKey): Promise<ResoldRent | null> {
  const { rows } = await db.query<ResoldRent>({
    name: 'resold-find-rent',
    text: `SELECT ${COLUMNS} FROM resold_rents WHERE supplier_id = $supplierId AND reference = $reference`,
    values: key,
  })
  return rows[0] ?? null
}

const MAX_OPEN = 10_000

export async function listOpenRents(db: Db, supplierId: number): Promise<ResoldRent[]> {
  const { rows } = await db.query<ResoldRent>({
    name: 'resold-list-open-rents',
    text: `SELECT ${COLUMNS} FROM resold_rents WHERE supplier_id = $1 AND state = 'open' ORDER BY asked_at LIMIT ${MAX_OPEN}`,
    values: [supplierId],
  })
  return rows
}

export async function listLostRents(db: Db, input: { supplierId: number; since: Date }): Promise<string[]> {
  const { rows } = await db.query<{ reference: string }>({
    name: 'resold-list-lost-rents',
    text: `SELECT reference FROM resold_rents WHERE supplier_id = $supplierId AND state = 'asking' AND asked_at > $since
      ORDER BY asked_at LIMIT 10`,
    values: input,
  })
  return rows.map(({ reference }) => reference)
}

export type ResoldExtension = {
  state: 'asking' | 'extended' | 'refused'
  costMicros: bigint
  askedAt: Date
  historyBefore: number | null
}
type ExtensionKey = { supplierId: number; extensionReference: string }

/** Stores an extension. Returns false if the extension was requested before. */
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

/** Confirms a pending extension. Returns the rental's new end, or null if the extension was decided before. */
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

/** Stores the new id that a supplier may give a rental when extending it. */
export async function renameRent(db: Db, rent: OrderKey & { rentId: string }): Promise<void> {
  await db.query({
    name: 'resold-rename-rent',
    text: `UPDATE resold_rents SET rent_id = $rentId
      WHERE supplier_id = $supplierId AND reference = $reference AND rent_id <> $rentId`,
    values: rent,
  })
}
