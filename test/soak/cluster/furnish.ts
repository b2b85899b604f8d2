import { makeApiKey } from '#server/core/accounts/api-keys/api-key.ts'
import { replaceApiKey } from '#server/core/accounts/api-keys/queries.ts'
import { systemRandom } from '#server/house/clock.ts'
import { migrate } from '#server/house/db/migrate.ts'
import type { Pool } from '#server/house/db/pool.ts'
import { seedCatalog } from '#server/programs/boot/seed-catalog.ts'
import { insertSimulator, insertUsdRate } from '#server/programs/demo/queries.ts'
import { addBuyer } from '#test/books/books.ts'
import { typedIn, WHY } from '#test/harness/typed.ts'

export const SECRET_KEY = 'a secret of the soak, long enough to pass'
export const VOUCHER_UNITS = 250n
export const START_UNITS = 10_000_000n
/** The country of all purchases. Its own numbers begin with this prefix, the simulated ones do not. */
export const COUNTRY = 2
export const OWN_PREFIX = '7799'
export const INTAKE = { path: '/intake/phones/a-secret-address-of-the-soak-0123456789', token: 'a token of the soak' }
const NUMBERS_A_ROUND = 80

export type Buyer = { id: number; key: string }

/** Fills a new database: own numbers by webhook, simulated ones, buyers and a gateway of vouchers. */
export async function furnishShop(pool: Pool, databaseUrl: string, buyers: number): Promise<Buyer[]> {
  await migrate(pool)
  await seedCatalog(pool)
  const now = new Date()
  await insertUsdRate(pool, { rubMicros: 90_000_000n, now })
  const settings = {
    format: 'generic',
    sentAs: 'json',
    fields: { phone: 'to', sender: 'from', text: 'text', id: 'id' },
    auth: { by: 'header', header: 'X-Token', values: [INTAKE.token] },
    intakeKey: INTAKE.path.split('/').at(-1),
    currency: 'rub',
    services: [
      { code: 'tg', cost: '1' },
      { code: 'wa', cost: '1' },
    ],
  }
  // No command adds the simulator, which belongs to the demo. It sells and rents out what the own numbers do not.
  await insertSimulator(pool, now)
  for (const words of [
    ['supplier:add', 'webhook', '--code', 'phones', '--settings', JSON.stringify(settings)],
    ['gateway:add', 'vouchers', '--code', 'voucher'],
  ]) {
    const said = await typedIn({ DATABASE_URL: databaseUrl, SECRET_KEY }, ...words, ...WHY)
    if (said.code !== 0) throw new Error(`${words[0]} fails: ${said.err}`)
  }
  const made: Buyer[] = []
  for (let place = 0; place < buyers; place += 1) {
    const id = await addBuyer(pool, { email: `buyer${place}@example.test`, currency: 'rub', units: START_UNITS })
    const key = makeApiKey(systemRandom)
    await replaceApiKey(pool, { userId: id, apiKey: key, now })
    made.push({ id, key })
  }
  return made
}

/** Adds own numbers, because a number that got its code is not sold for the service again. */
export async function addNumbers(pool: Pool, round: number): Promise<void> {
  await pool.query({
    text: `INSERT INTO smpp_numbers (supplier_id, phone, country_id, operator)
      SELECT id, $1 || lpad((place + $4)::text, 7, '0'), $2, 'altel' FROM suppliers, generate_series(1, $3) place
      WHERE code = 'phones' ON CONFLICT DO NOTHING`,
    values: [OWN_PREFIX, COUNTRY, NUMBERS_A_ROUND, round * NUMBERS_A_ROUND],
  })
}

/** Makes vouchers and returns their codes. */
export async function makeVouchers(databaseUrl: string, count: number, batch: string): Promise<string[]> {
  const words = [
    'voucher:create',
    'voucher',
    String(count),
    `${VOUCHER_UNITS}.00`,
    '--currency',
    'rub',
    '--batch',
    batch,
  ]
  const said = await typedIn({ DATABASE_URL: databaseUrl, SECRET_KEY }, ...words, ...WHY)
  const codes = said.out.match(/\b(?:[A-Z0-9]{4}-){3}[A-Z0-9]{4}\b|\b[A-Z0-9]{16}\b/g) ?? []
  if (said.code !== 0 || codes.length !== count) throw new Error(`no vouchers: ${said.out}${said.err}`)
  return codes
}
