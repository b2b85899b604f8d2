/**
 * Measures `ledger:verify` without planner statistics, as after a restore, compared with a sequential scan and a dump.
 */
import { MINUTE } from '#contract/time.ts'
import { migrate } from '#server/house/db/migrate.ts'
import { Pool } from '#server/house/db/pool.ts'
import { verifyFromCheckpoint } from '#server/house/money/verify.ts'
import { seedCatalog } from '#server/programs/boot/seed-catalog.ts'
import { queryOnce, quietLog } from '#test/harness/postgres/temporary-postgres.ts'
import { addPastBooks } from './parts/past/past-books.ts'
import { printFigures, printRatio, ratiosOf, takeTurns } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'
import { openHouse } from './parts/temporary-house.ts'

const ROUNDS = 3
const LIMIT_SECONDS = 900
const FULL_AIM = 5
/** The lower bound for comparison. The sums make PostgreSQL read a column, because a bare count reads none. */
const COUNTS = [
  'SELECT count(*), sum(amount_micros) FROM transfers',
  'SELECT count(*), sum(price_micros) FROM activations',
  'SELECT count(*), sum(id) FROM messages',
  'SELECT count(*) FROM burnt_numbers',
  'SELECT count(*), sum(available_micros) FROM accounts',
]

const COPIES = ['transfers', 'activations', 'messages', 'burnt_numbers', 'accounts'].map(
  (table) => `COPY ${table} TO '/dev/null'`,
)

await runBenchmark(
  async (stack) => {
    const { postgres } = await openHouse(stack)
    await queryOnce(postgres.superuserConnectionString('postgres'), 'CREATE DATABASE books OWNER ringpost')
    const superuserUrl = postgres.superuserConnectionString('books')
    // Autovacuum would add statistics while the tables are filled.
    await queryOnce(superuserUrl, 'ALTER SYSTEM SET autovacuum = off')
    await queryOnce(superuserUrl, 'SELECT pg_reload_conf()')
    const connectionString = postgres.connectionString('books')
    const limits = { maxConnections: 2, answerLimitMs: MINUTE }
    const pool = stack.use(new Pool({ connectionString, ...limits, applicationName: 'bench', log: quietLog }))
    await migrate(pool)
    await seedCatalog(pool)
    await queryOnce(superuserUrl, `INSERT INTO suppliers (code, kind, created_at) VALUES ('range', 'smpp', now())`)
    await addPastBooks(superuserUrl, { people: 10_000, activations: 500_000, rentals: 5_000 })
    const verify = (full: boolean) => () =>
      seconds(async () => {
        const { ok } = await verifyFromCheckpoint(pool, { full, now: new Date(), told: () => undefined })
        if (!ok) throw new Error('the books of the benchmark are wrong')
      })
    const superuser = stack.use(
      new Pool({ ...limits, connectionString: superuserUrl, applicationName: 'reader', log: quietLog }),
    )
    const reading = (texts: readonly string[]) => () =>
      seconds(async () => {
        for (const text of texts) await superuser.query({ text })
      })
    const contenders = { counting: reading(COUNTS), copying: reading(COPIES), full: verify(true), again: verify(false) }
    await contenders.counting()
    const figures = await takeTurns(ROUNDS, contenders)
    printFigures('counting each table', figures.counting, 's')
    printFigures('reading each table out', figures.copying, 's')
    printFigures('a full check', figures.full, 's')
    printFigures('from the last checkpoint', figures.again, 's')
    printRatio('full check over counting', ratiosOf(figures.full, figures.counting), { atMost: FULL_AIM })
    printRatio('full check over reading out', ratiosOf(figures.full, figures.copying), { atMost: FULL_AIM })
    printRatio('from the checkpoint over counting', ratiosOf(figures.again, figures.counting), null)
  },
  { limitSeconds: LIMIT_SECONDS },
)

async function seconds(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}
