/** Measures how many numbers per second are ended over HTTP, and whether ends wait for one global lock. */
import type { Db } from '#server/house/db/pool.ts'
import { addBuyers } from './parts/people.ts'
import { printFigures, printRatio, ratiosOf } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'
import { ACCOUNTS_PER_CLIENT, CLIENTS, openShoppers } from './parts/shoppers.ts'
import { openHouse, openService } from './parts/temporary-house.ts'

const ROUNDS = 8
const EACH = 32
const SAMPLE_MS = 20

await runBenchmark(async (stack) => {
  const service = await openService(stack, await openHouse(stack), {
    name: 'ends',
    environment: { EARLY_CANCEL_SECONDS: '0' },
  })
  const buyers = await addBuyers(service.db, CLIENTS * ACCOUNTS_PER_CLIENT)
  const shoppers = await openShoppers(stack, service, buyers)
  const timed = async (work: () => Promise<void>) => {
    const startedAt = performance.now()
    await work()
    return (EACH * CLIENTS * 1000) / (performance.now() - startedAt)
  }
  const purchases: number[] = []
  const ends: number[] = []
  const sampled = { looks: 0, waited: 0 }
  // The first round is not measured, because its code is not compiled yet.
  await timed(() => shoppers.buy(EACH))
  await timed(() => shoppers.end())
  for (let round = 0; round < ROUNDS; round += 1) {
    purchases.push(await timed(() => shoppers.buy(EACH)))
    const sampler = sampleWaits(service.db, sampled)
    ends.push(await timed(() => shoppers.end()))
    await sampler.stop()
  }
  console.log(`orders per second, ${CLIENTS} clients, by round`)
  printFigures('purchases over HTTP', purchases, '/s')
  printFigures('ends over HTTP', ends, '/s')
  printRatio('ends : purchases', ratiosOf(ends, purchases), { atLeast: 1 })
  const judged = sampled.waited === 0 ? 'ok' : 'short'
  console.log(`  statements that wait for Lock:object: ${sampled.waited} in ${sampled.looks} looks, aim 0: ${judged}`)
})

/** Samples how often commits wait for the global lock of NOTIFY, which PostgreSQL shows as a wait for `object`. */
function sampleWaits(db: Db, sampled: { looks: number; waited: number }): { stop(): Promise<void> } {
  let isOver = false
  const look = async () => {
    while (!isOver) {
      const { rows } = await db.query<{ waiting: number }>({
        name: 'sample-waits',
        text: `SELECT count(*)::integer AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event = 'object'`,
      })
      sampled.looks += 1
      sampled.waited += rows[0]?.waiting ?? 0
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS))
    }
  }
  const done = look()
  return {
    async stop() {
      isOver = true
      await done
    },
  }
}
