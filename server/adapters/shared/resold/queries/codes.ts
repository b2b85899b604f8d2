import type { Db } from '#server/house/db/pool.ts'

export type CodeKind = 'service' | 'country'
export type CodeRow = { kind: CodeKind; theirs: string; ours: string | null }
export type UnmappedRow = { kind: CodeKind; theirs: string; offers: number; seenAt: Date }

export async function readCodes(
  db: Db,
  supplierId: number,
): Promise<{ corrected: CodeRow[]; services: string[]; countries: string[] }> {
  const corrected = await db.query<CodeRow>({
    text: 'SELECT kind, theirs, ours FROM resell_codes WHERE supplier_id = $1 ORDER BY kind, theirs',
    values: [supplierId],
  })
  const known = await db.query<{ services: string[]; countries: string[] }>({
    text: `SELECT ARRAY(SELECT code FROM services) AS services, ARRAY(SELECT id::text FROM countries) AS countries`,
  })
  return {
    corrected: corrected.rows,
    services: known.rows[0]?.services ?? [],
    countries: known.rows[0]?.countries ?? [],
  }
}

/**
 * Stores our service or country code for a supplier's code, or removes it if `ours` is undefined. Returns false if
 * nothing changed.
 */
export async function setCode(
  db: Db,
  input: { supplierId: number; kind: CodeKind; theirs: string; ours: string | null | undefined },
): Promise<boolean> {
  const { supplierId, kind, theirs, ours } = input
  if (ours === undefined) {
    const text = 'DELETE FROM resell_codes WHERE supplier_id = $1 AND kind = $2 AND theirs = $3'
    const { rowCount } = await db.query({ text, values: [supplierId, kind, theirs] })
    return rowCount === 1
  }
  const { rowCount } = await db.query({
    text: `INSERT INTO resell_codes (supplier_id, kind, theirs, ours) VALUES ($supplierId, $kind, $theirs, $ours)
      ON CONFLICT ON CONSTRAINT resell_codes_theirs DO UPDATE SET ours = excluded.ours
      WHERE resell_codes.ours IS DISTINCT FROM excluded.ours`,
    values: { supplierId, kind, theirs, ours },
  })
  return rowCount === 1
}

export async function replaceUnmapped(
  db: Db,
  input: { supplierId: number; rows: Omit<UnmappedRow, 'seenAt'>[]; now: Date },
): Promise<void> {
  const { supplierId, rows, now } = input
  await db.query({
    text: `WITH given AS (
        SELECT * FROM unnest($kinds::text[], $theirs::text[], $offers::integer[]) AS g (kind, theirs, offers)
      ), gone AS (
        DELETE FROM resell_unmapped u WHERE supplier_id = $supplierId
          AND NOT EXISTS (SELECT FROM given g WHERE g.kind = u.kind AND g.theirs = u.theirs)
      )
      INSERT INTO resell_unmapped (supplier_id, kind, theirs, offers, seen_at)
      SELECT $supplierId, kind, theirs, offers, $now FROM given
      ON CONFLICT ON CONSTRAINT resell_unmapped_theirs DO UPDATE SET offers = excluded.offers, seen_at = excluded.seen_at
      WHERE resell_unmapped.offers <> excluded.offers`,
    values: {
      supplierId,
      now,
      kinds: rows.map(({ kind }) => kind),
      theirs: rows.map(({ theirs }) => theirs),
      offers: rows.map(({ offers }) => offers),
    },
  })
}

export async function listUnmapped(db: Db, supplierId: number): Promise<UnmappedRow[]> {
  const { rows } = await db.query<UnmappedRow>({
    text: `SELECT kind, theirs, offers, seen_at AS "seenAt" FROM resell_unmapped
      WHERE supplier_id = $1 ORDER BY kind, offers DESC, theirs`,
    values: [supplierId],
  })
  return rows
}
