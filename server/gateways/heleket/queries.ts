import type { Db } from '#server/db/pool.ts'

export type StandingRefund = { is_part: boolean; at: Date }

/** Also those that staff have noted, and Heleket has not told of. */
export async function listStandingRefunds(db: Db, transactionId: string): Promise<StandingRefund[]> {
  const { rows } = await db.query<StandingRefund>({
    name: 'heleket-refunds',
    text: `SELECT r.is_part, r.at FROM reversals r JOIN payments p ON p.id = r.payment_id
      WHERE p.transaction_id = $1 AND r.kind = 'refund' AND r.state <> 'failed'`,
    values: [transactionId],
  })
  return rows
}
