import type { Db } from '#server/house/db/pool.ts'

export type SupplierState = {
  id: number
  kind: string
  settings: Record<string, unknown>
  paused_at: Date | null
}

export async function lockSupplier(tx: Db, code: string): Promise<SupplierState | null> {
  const { rows } = await tx.query<SupplierState>({
    text: 'SELECT id, kind, settings, paused_at FROM suppliers WHERE code = $1 AND removed_at IS NULL AND NOT sandbox FOR NO KEY UPDATE',
    values: [code],
  })
  return rows[0] ?? null
}

export async function setPaused(tx: Db, input: { id: number; pausedAt: Date | null }): Promise<void> {
  await tx.query({ text: 'UPDATE suppliers SET paused_at = $2 WHERE id = $1', values: [input.id, input.pausedAt] })
}

export async function findInService(db: Db, code: string): Promise<boolean> {
  const { rowCount } = await db.query({
    text: 'SELECT FROM suppliers WHERE code = $1 AND removed_at IS NULL AND NOT sandbox',
    values: [code],
  })
  return rowCount === 1
}
