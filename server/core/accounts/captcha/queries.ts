import type { Db } from '#server/house/db/pool.ts'

export async function spendCaptcha(db: Db, input: { signature: Buffer; expiresAt: Date }): Promise<boolean> {
  const { rowCount } = await db.query({
    text: 'INSERT INTO spent_captchas (signature, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    values: [input.signature, input.expiresAt],
  })
  return rowCount === 1
}
