import type { Db } from '#server/house/db/pool.ts'

export async function findAddress(db: Db, input: { branch: string; userId: number }): Promise<string | null> {
  const { rows } = await db.query<{ address: string }>({
    name: 'chain-address-find',
    text: 'SELECT address FROM chain_addresses WHERE branch = $branch AND user_id = $userId',
    values: input,
  })
  return rows[0]?.address ?? null
}

/** Returns the next index for deriving an address, each index once. An unused index leaves a harmless gap. */
export async function takePlace(db: Db, branch: string): Promise<number> {
  const { rows } = await db.query<{ place: number }>({
    name: 'chain-place-take',
    text: `INSERT INTO chain_branches AS b (branch, next_place) VALUES ($1, 1)
      ON CONFLICT (branch) DO UPDATE SET next_place = b.next_place + 1 RETURNING next_place - 1 AS place`,
    values: [branch],
  })
  const row = rows[0]
  if (row === undefined) throw new Error('no place was taken')
  return row.place
}

export async function insertAddress(
  db: Db,
  input: { branch: string; userId: number; place: number; address: string; now: Date },
): Promise<void> {
  await db.query({
    name: 'chain-address-insert',
    text: `INSERT INTO chain_addresses (branch, user_id, place, address, created_at)
      VALUES ($branch, $userId, $place, $address, $now) ON CONFLICT ON CONSTRAINT chain_addresses_of_user DO NOTHING`,
    values: input,
  })
}

export async function findOwners(db: Db, addresses: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await db.query<{ address: string; user_id: number }>({
    name: 'chain-owners',
    text: 'SELECT address, user_id FROM chain_addresses WHERE address = ANY ($1)',
    values: [addresses],
  })
  return new Map(rows.map(({ address, user_id }) => [address, user_id]))
}
