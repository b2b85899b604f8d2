import { upsertCountries, upsertServices } from '#server/catalog/offers/queries.ts'
import type { Db } from '#server/db/pool.ts'
import { seedSenders } from '#server/numbers/messages/seed.ts'
import { readSeedCountries, readSeedServices } from '#server/seed/seed-tables.ts'

/** Makes the names and order of services and countries, and the seed's senders, those of this version. Prices, blocks and history are not touched. */
export async function seedCatalog(db: Db): Promise<void> {
  await upsertServices(db, readSeedServices())
  await upsertCountries(db, readSeedCountries())
  await seedSenders(db)
}
