import type { KeyScope } from '#contract/api-key.ts'
import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'

export type OutletRow = {
  id: number
  code: string
  settings: Record<string, unknown>
  pausedAt: Date | null
  keyId: number
  userId: number
  currency: Currency
  availableMicros: bigint
  scopes: KeyScope[]
  addresses: string[]
  /** True if the API key is revoked, or its owner blocked. */
  shut: boolean
}

/** SQL for outlets (buying platforms). An outlet whose API key was deleted is shut, but its sales are still pushed. */
const OUTLETS = `SELECT o.id, o.code, o.settings, o.paused_at AS "pausedAt", COALESCE(k.id, 0) AS "keyId",
    COALESCE(k.user_id, 0) AS "userId", COALESCE(a.currency, 'rub') AS currency, COALESCE(a.available_micros, 0) AS "availableMicros",
    COALESCE(k.scopes, '{}') AS scopes, COALESCE(k.addresses, '{}') AS addresses,
    k.revoked_at IS NOT NULL OR u.blocked_at IS NOT NULL OR a.user_id IS NULL AS shut
  FROM outlets o LEFT JOIN api_keys k ON k.id = o.api_key_id LEFT JOIN users u ON u.id = k.user_id
    LEFT JOIN accounts a ON a.user_id = u.id`

export const ANY_OUTLET = 'EXISTS (SELECT FROM outlets)'

export async function findOutlet(db: Db, code: string): Promise<OutletRow | null> {
  const { rows } = await db.query<OutletRow>({
    name: 'outlet-find',
    text: `${OUTLETS} WHERE o.code = $1 AND o.removed_at IS NULL`,
    values: [code],
  })
  return rows[0] ?? null
}

export async function findOutletById(db: Db, id: number): Promise<OutletRow | null> {
  const { rows } = await db.query<OutletRow>({
    name: 'outlet-by-id',
    text: `${OUTLETS} WHERE o.id = $1 AND o.removed_at IS NULL`,
    values: [id],
  })
  return rows[0] ?? null
}

export async function listOutletsToOpen(db: Db): Promise<OutletRow[]> {
  const { rows } = await db.query<OutletRow>({
    name: 'outlets-to-open',
    text: `${OUTLETS} WHERE o.removed_at IS NULL ORDER BY o.id`,
  })
  return rows
}

/** Replaces the settings of an outlet (a buying platform), unless they have changed since they were read. */
export async function resealOutlet(
  db: Db,
  { id, before, after }: { id: number; before: Record<string, unknown>; after: Record<string, unknown> },
): Promise<void> {
  await db.query({
    name: 'outlet-reseal',
    text: 'UPDATE outlets SET settings = $3 WHERE id = $1 AND settings = $2',
    values: [id, JSON.stringify(before), JSON.stringify(after)],
  })
}
