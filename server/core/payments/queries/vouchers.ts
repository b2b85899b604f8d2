import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'

export type VoucherRow = {
  id: bigint
  gateway_id: number
  amount_micros: bigint
  currency: Currency
  expires_at: Date | null
  withdrawn_at: Date | null
  payment_id: bigint | null
}

export async function lockVoucher(tx: Db, codeHash: Buffer): Promise<VoucherRow | null> {
  const { rows } = await tx.query<VoucherRow>({
    name: 'voucher-lock',
    text: `SELECT id, gateway_id, amount_micros, currency, expires_at, withdrawn_at, payment_id
      FROM vouchers WHERE code_hash = $1 FOR UPDATE`,
    values: [codeHash],
  })
  return rows[0] ?? null
}

export async function bindVoucher(tx: Db, input: { id: bigint; paymentId: bigint }): Promise<void> {
  await tx.query({
    name: 'voucher-bind',
    text: 'UPDATE vouchers SET payment_id = $paymentId WHERE id = $id',
    values: input,
  })
}

export async function insertVouchers(
  tx: Db,
  input: {
    gatewayId: number
    codeHashes: Buffer[]
    amountMicros: bigint
    currency: Currency
    batch: string
    now: Date
    expiresAt: Date | null
  },
): Promise<void> {
  await tx.query({
    text: `INSERT INTO vouchers (gateway_id, code_hash, amount_micros, currency, batch, created_at, expires_at)
      SELECT $gatewayId, code_hash, $amountMicros, $currency, $batch, $now, $expiresAt
      FROM unnest($codeHashes::bytea[]) AS made (code_hash)`,
    values: input,
  })
}

export async function withdrawVouchers(tx: Db, input: { batch: string; now: Date }): Promise<number> {
  const { rowCount } = await tx.query({
    text: 'UPDATE vouchers SET withdrawn_at = $now WHERE batch = $batch AND payment_id IS NULL AND withdrawn_at IS NULL',
    values: input,
  })
  return rowCount
}
