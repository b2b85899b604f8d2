import type { SignKind, SignSource, Strength } from '#server/core/numbers/messages/sign.ts'
import type { Db } from '#server/house/db/pool.ts'

type SignKey = { serviceCode: string; kind: SignKind; value: string }

/**
 * Stores a sign (such as a sender or word) by which messages are assigned to a service. Returns false if the seed data
 * or staff already stored the sign with this `strength`.
 */
export async function upsertSign(tx: Db, sign: SignKey & { strength: Strength }): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `INSERT INTO service_signs AS sign (service_code, kind, value, strength, source, known)
      VALUES ($serviceCode, $kind, $value, $strength, 'staff', $strength <> 'weak')
      ON CONFLICT (service_code, kind, value) DO UPDATE
      SET strength = excluded.strength, source = 'staff', known = excluded.known, removed = false
      WHERE sign.removed OR sign.source = 'learnt' OR sign.strength <> excluded.strength`,
    values: sign,
  })
  return rowCount > 0
}

/**
 * Removes a sign by which messages are assigned to a service, ignoring case. The row is only marked as removed, so that
 * neither the seed data nor learning restores the sign.
 */
export async function removeSign(tx: Db, sign: SignKey): Promise<number> {
  const { rowCount } = await tx.query({
    text: `UPDATE service_signs SET removed = true, source = 'staff'
      WHERE service_code = $1 AND kind = $2 AND lower(value) = lower($3) AND NOT removed`,
    values: [sign.serviceCode, sign.kind, sign.value],
  })
  return rowCount
}

export async function setSenderIgnored(tx: Db, input: { sender: string; ignored: boolean }): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `INSERT INTO ignored_senders AS known (sender, source, removed)
      SELECT $1, 'staff', NOT $2 WHERE $2 OR EXISTS (SELECT FROM ignored_senders WHERE sender = $1)
      ON CONFLICT (sender) DO UPDATE SET source = 'staff', removed = excluded.removed
      WHERE known.removed <> excluded.removed`,
    values: [input.sender, input.ignored],
  })
  return rowCount > 0
}

const MAX_LISTED = 2_000

type ListedSign = {
  service_code: string
  kind: SignKind
  value: string
  strength: Strength
  source: SignSource
  removed: boolean
}

/**
 * Lists the signs (such as senders and words) by which messages are assigned to a service. Without a service, lists the
 * signs of all services that are not from the seed data.
 */
export async function listSignsOf(db: Db, serviceCode: string | null): Promise<ListedSign[]> {
  const { rows } = await db.query<ListedSign>({
    text: `SELECT service_code, kind, value, strength, source, removed FROM service_signs
      WHERE service_code = $1 OR ($1 IS NULL AND source <> 'seed')
      ORDER BY service_code, kind, value LIMIT $2`,
    values: [serviceCode, MAX_LISTED],
  })
  return rows
}

export async function listIgnored(db: Db): Promise<{ sender: string; source: string; removed: boolean }[]> {
  const { rows } = await db.query<{ sender: string; source: string; removed: boolean }>({
    text: 'SELECT sender, source, removed FROM ignored_senders ORDER BY sender LIMIT $1',
    values: [MAX_LISTED],
  })
  return rows
}
