import type { Db } from '#server/house/db/pool.ts'

/** Returns an API key's maximum price in a country, for the service or else for all services. */
export async function findCeiling(
  db: Db,
  wanted: { key: number; service: string; country: number },
): Promise<bigint | undefined> {
  const { rows } = await db.query<{ max_price_micros: bigint }>({
    name: 'key-ceiling-find',
    text: `SELECT max_price_micros FROM key_ceilings
      WHERE key_id = $1 AND country_id = $2 AND service_code IN ($3, '') ORDER BY service_code DESC LIMIT 1`,
    values: [wanted.key, wanted.country, wanted.service],
  })
  return rows[0]?.max_price_micros
}

export type Ceiling = { key: number; service: string; country: number; maxPriceMicros: bigint; most: number; now: Date }

/** Stores a maximum price. Returns false if the API key already has the allowed number of maximum prices. */
export async function setCeiling(db: Db, ceiling: Ceiling): Promise<boolean> {
  const { rows } = await db.query({
    name: 'key-ceiling-set',
    text: `INSERT INTO key_ceilings (key_id, country_id, service_code, max_price_micros, set_at)
      SELECT $key, $country, $service, $maxPriceMicros, $now
      WHERE (SELECT count(*) FROM key_ceilings WHERE key_id = $key) < $most
        OR EXISTS (SELECT FROM key_ceilings WHERE key_id = $key AND country_id = $country AND service_code = $service)
      ON CONFLICT ON CONSTRAINT key_ceilings_pkey DO UPDATE SET max_price_micros = $maxPriceMicros, set_at = $now
      RETURNING key_id`,
    values: ceiling,
  })
  return rows.length === 1
}

export async function dropCeiling(db: Db, wanted: { key: number; service: string; country: number }): Promise<true> {
  await db.query({
    name: 'key-ceiling-drop',
    text: 'DELETE FROM key_ceilings WHERE key_id = $1 AND country_id = $2 AND service_code = $3',
    values: [wanted.key, wanted.country, wanted.service],
  })
  return true
}
