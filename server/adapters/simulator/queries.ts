import type { Db } from '#server/house/db/pool.ts'

export type SoldNumber = {
  id: bigint
  attempt: number
  service_code: string
  country_id: number
  operator: string | null
  operator_wanted: string | null
  phone: string | null
  state: string
  sms_count: number
  expires_at: Date
  repeated_phone: string | null
}

const COLUMNS = `id, attempt, service_code, country_id, operator, operator_wanted, phone, state, sms_count, expires_at,
  (SELECT phone FROM activations earlier WHERE earlier.id = activations.repeat_of) AS repeated_phone`

export async function findSold(db: Db, input: { supplierId: number; id: bigint }): Promise<SoldNumber | null> {
  const { rows } = await db.query<SoldNumber>({
    text: `SELECT ${COLUMNS} FROM activations WHERE id = $1 AND supplier_id = $2`,
    values: [input.id, input.supplierId],
  })
  return rows[0] ?? null
}

type Awaiting = { supplierId: number; operators: readonly string[]; limit: number }

export async function listAwaiting(db: Db, { supplierId, operators, limit }: Awaiting): Promise<SoldNumber[]> {
  const { rows } = await db.query<SoldNumber>({
    text: `SELECT ${COLUMNS} FROM activations
      WHERE supplier_id = $1 AND operator = ANY ($2) AND state IN ('waiting', 'waiting_again') ORDER BY id DESC LIMIT $3`,
    values: [supplierId, operators, limit],
  })
  return rows
}

export type RentedOut = {
  id: bigint
  attempt: number
  service_code: string
  country_id: number
  operator: string | null
  operator_wanted: string | null
  phone: string | null
  state: string
  hours: number
  sms_count: number
}

const RENT_COLUMNS = `id, attempt, service_code, country_id, operator, operator_wanted, phone, state, hours, sms_count`

export async function findRentedOut(db: Db, input: { supplierId: number; id: bigint }): Promise<RentedOut | null> {
  const { rows } = await db.query<RentedOut>({
    text: `SELECT ${RENT_COLUMNS} FROM rentals WHERE id = $1 AND supplier_id = $2`,
    values: [input.id, input.supplierId],
  })
  return rows[0] ?? null
}

export async function listRentedOut(db: Db, input: { supplierId: number; limit: number }): Promise<RentedOut[]> {
  const { rows } = await db.query<RentedOut>({
    text: `SELECT ${RENT_COLUMNS} FROM rentals WHERE supplier_id = $1 AND state = 'active' ORDER BY id DESC LIMIT $2`,
    values: [input.supplierId, input.limit],
  })
  return rows
}

/** Maps service codes to sender names: `VKontakte (vk.com)` to VKontakte, `Google, YouTube, Gmail` to Google. */
export async function listServiceNames(db: Db): Promise<Map<string, string>> {
  const { rows } = await db.query<{ code: string; name_en: string }>({ text: 'SELECT code, name_en FROM services' })
  return new Map(rows.map((row) => [row.code, shortName(row.name_en)]))
}

function shortName(name: string): string {
  return name.split(/ \(|, /)[0] ?? name
}
