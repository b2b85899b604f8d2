import { upsertCountries, upsertServices } from '#server/core/catalog/offers/queries.ts'
import { seedSenders } from '#server/core/numbers/messages/seed.ts'
import type { Db } from '#server/house/db/pool.ts'
import { readSeedCountries, readSeedServices } from '#server/house/seed/seed-tables.ts'

/**
 * Stores the services and countries of this release, with names and sort order, and its known senders. Stored prices,
 * blocked services and history stay.
 */
export async function seedCatalog(db: Db): Promise<void> {
  await upsertServices(db, readSeedServices())
  await upsertCountries(db, readSeedCountries())
  await seedSenders(db)
}
