import type { Db } from '#server/db/pool.ts'

export type CreditedDeposit = { provider_id: string; amount_micros: bigint }

/** What has been credited for a payment; a payment that is credited and vanishes has to go back. */
export async function listCredited(
  db: Db,
  input: { gatewayId: number; transactionId: string },
): Promise<CreditedDeposit[]> {
  const { rows } = await db.query<CreditedDeposit>({
    name: 'btcpay-credited',
    text: `SELECT d.provider_id, d.amount_micros FROM deposits d JOIN payments p ON p.id = d.payment_id
      WHERE p.transaction_id = $transactionId AND d.gateway_id = $gatewayId ORDER BY d.id`,
    values: input,
  })
  return rows
}
