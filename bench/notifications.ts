/** Checks that the list of notifications opens as fast with ten thousand notifications as with ten. */
import { getRequest, openConnections } from './parts/http-connection.ts'
import { addBuyers } from './parts/people.ts'
import { median, printFigures, printRatio, ratiosOf, takeTurns } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'
import { openHouse, openService } from './parts/temporary-house.ts'

const PATHS = ['/api/v1/notifications', '/api/v1/notifications?category=payments', '/api/user']
const [FEW, MANY] = [10, 10_000]
const ROUNDS = 9
const OPENS_PER_ROUND = 100
const MAX_GROWTH = 1.2

await runBenchmark(
  async (stack) => {
    const service = await openService(stack, await openHouse(stack), { name: 'bell' })
    const [few, many] = await addBuyers(service.db, 2)
    const [connection] = await openConnections(stack, service.url, 1)
    if (few === undefined || many === undefined || connection === undefined) throw new Error('nobody is there')
    for (const [{ userId }, count] of [[few, FEW] as const, [many, MANY] as const]) {
      await service.db.query({
        text: `INSERT INTO notifications (user_id, category, kind, details, link, dedupe_key, channels, created_at)
        SELECT $1, CASE WHEN n % 2 = 0 THEN 'payments' ELSE 'security' END,
          CASE WHEN n % 2 = 0 THEN 'payment-credited' ELSE 'new-device' END,
          '{"amountMicros":"500000000","currency":"rub","device":"Chrome, Windows","address":"203.0.113.7"}',
          '/history', 'n' || n, '{site,push}', now() FROM generate_series(1, $2) n`,
        values: [userId, count],
      })
    }
    await service.db.query({ text: 'ANALYZE notifications' })
    for (const path of PATHS) {
      const open = async ({ token }: { token: string }): Promise<number[]> => {
        const times: number[] = []
        for (let n = 0; n < OPENS_PER_ROUND; n += 1) {
          const startedAt = performance.now()
          const reply = await connection.ask(getRequest(path, { authorization: `Bearer ${token}` }))
          if (reply.status !== 200) throw new Error(`${path} answers ${reply.status} ${reply.body}`)
          times.push(performance.now() - startedAt)
        }
        return times
      }
      for (const person of [few, many]) await open(person)
      const found = await takeTurns(ROUNDS, { few: () => open(few), many: () => open(many) })
      const [fewMs, manyMs] = [found.few.map(median), found.many.map(median)]
      console.log(`GET ${path}, ms, by round`)
      printFigures(`${FEW} notifications, p50`, fewMs, 'ms')
      printFigures(`${MANY} notifications, p50`, manyMs, 'ms')
      printRatio('many : few, p50', ratiosOf(manyMs, fewMs), { atMost: MAX_GROWTH })
    }
  },
  { limitSeconds: 240 },
)
