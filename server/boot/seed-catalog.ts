import { upsertCountries, upsertServices } from '#server/catalog/offers/queries.ts'
import type { Db } from '#server/db/pool.ts'
import { seedSenders } from '#server/numbers/messages/seed.ts'
import { readSeedCountries, readSeedServices } from '#server/seed/seed-tables.ts'

/** Names and order follow this release; prices, blocks and history stay. */
export async function seedCatalog(db: Db): Promise<void> {
  await upsertServices(db, readSeedServices())
  await upsertCountries(db, readSeedCountries())
  await seedSenders(db)
}
