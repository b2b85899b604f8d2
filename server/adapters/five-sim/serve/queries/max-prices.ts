import type { Db } from '#server/house/db/pool.ts'

type Which = { userId: number; serviceCode: string }
export type MaxPriceRow = { id: bigint; service_code: string; price_micros: bigint; created_at: Date }

export async function listMaxPrices(db: Db, userId: number): Promise<MaxPriceRow[]> {
  const { rows } = await db.query<MaxPriceRow>({
    name: 'max-prices-list',
    text: 'SELECT id, service_code, price_micros, created_at FROM max_prices WHERE user_id = $1 ORDER BY id',
    values: [userId],
  })
  return rows
}

export async function findMaxPrice(db: Db, which: Which): Promise<bigint | null> {
  const { rows } = await db.query<{ price_micros: bigint }>({
    name: 'max-prices-find',
    text: 'SELECT price_micros FROM max_prices WHERE user_id = $userId AND service_code = $serviceCode',
    values: which,
  })
  return rows[0]?.price_micros ?? null
}

export async function putMaxPrice(db: Db, wish: Which & { priceMicros: bigint; now: Date }): Promise<void> {
  await db.query({
    name: 'max-prices-put',
    text: `INSERT INTO max_prices (user_id, service_code, price_micros, created_at)
      VALUES ($userId, $serviceCode, $priceMicros, $now)
      ON CONFLICT ON CONSTRAINT max_prices_once DO UPDATE SET price_micros = $priceMicros`,
    values: wish,
  })
}

export async function deleteMaxPrice(db: Db, which: Which): Promise<void> {
  await db.query({
    name: 'max-prices-delete',
    text: 'DELETE FROM max_prices WHERE user_id = $userId AND service_code = $serviceCode',
    values: which,
  })
}
