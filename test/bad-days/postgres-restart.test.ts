import { expect, test } from 'vitest'
import { startEmbeddedPostgres } from '#server/house/db/embedded/embedded-postgres.ts'
import { migrate } from '#server/house/db/migrate.ts'
import { Pool } from '#server/house/db/pool.ts'
import { seedCatalog } from '#server/programs/boot/seed-catalog.ts'
import { insertUsdRate } from '#server/programs/demo/queries.ts'
import { createScriptedPeer, startScriptedProcess } from '#test/fakes/scripted-peer.ts'
import { quietLog, temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { buy, countRows, expectLedgerRight, furnish, request, until } from './real-service.ts'
import { noneSeen, shop } from './shop.ts'

const TEST_LIMIT_MS = 120_000

test('PostgreSQL is stopped and started under load: 503 with Retry-After, then all is well without a restart', {
  timeout: TEST_LIMIT_MS,
}, async () => {
  await using folder = await temporaryDataDir()
  const options = { dataDir: folder.dataDir, log: quietLog, durable: false }
  const postgres = await startEmbeddedPostgres(options)
  const databaseUrl = postgres.connectionString('ringpost')
  {
    await using pool = new Pool({
      connectionString: databaseUrl,
      maxConnections: 2,
      applicationName: 'maker',
      log: quietLog,
    })
    await migrate(pool)
    await seedCatalog(pool)
    await insertUsdRate(pool, { rubMicros: 90_000_000n, now: new Date() })
  }
  await using house = await furnish(databaseUrl, 4)
  const peer = createScriptedPeer()
  const environment = { EARLY_CANCEL_SECONDS: '0' }
  await using service = await startScriptedProcess(peer, { databaseUrl, environment })
  const seen = noneSeen()
  const stopped = new AbortController()
  const shopping = house.buyers.map((buyer) => shop(service.url, buyer, seen, stopped.signal))
  await until(() => seen.bought.length >= 20)

  // The running jobs end while PostgreSQL is down, and every second job fails.
  const away = Promise.withResolvers<void>()
  let held = 0
  peer.onAsked = async (question) => {
    if (question.method !== 'end') return
    held += 1
    const fails = held % 2 === 0
    await away.promise
    if (fails) throw new Error('502 Bad Gateway')
  }
  await until(() => held >= 2)
  await postgres.stop()
  away.resolve()
  const awayBefore = seen.away
  await until(() => service.exitCode() !== null || seen.away >= awayBefore + 20)
  expect(service.exitCode(), service.said()).toBeNull()
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503)
  // The service does not acknowledge this message, so the supplier must send it again.
  const [sold] = [...peer.sold].filter(([reference]) => !peer.ended.has(reference)).map(([, number]) => number)
  const sms = peer.push({ messageId: 'while-away', phone: sold?.phone ?? '', text: 'Telegram code: 12345' })

  await using again = await startEmbeddedPostgres(options)
  peer.onAsked = () => undefined
  const boughtBefore = seen.bought.length
  await until(() => seen.bought.length >= boughtBefore + 20)
  await sms
  stopped.abort()
  await Promise.all(shopping)
  expect([...seen.statuses.keys()].filter((status) => ![200, 201, 409, 503].includes(status))).toEqual([])
  expect({ lost: seen.lost, withoutRetryAfter: seen.withoutRetryAfter }).toEqual({ lost: [], withoutRetryAfter: 0 })
  expect(service.exitCode(), service.said()).toBeNull()
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)

  // The log has one line for the loss of PostgreSQL and one for its return.
  await until(() => service.said().includes('the database is back'))
  const told = service.said().match(/^(warn|error) (?!Failed task .*502 Bad Gateway).*/gm)
  expect(told?.map((line) => line.replace(/ \{.*/, ''))).toEqual([
    'error the database is away',
    'warn the database is back',
  ])
  expect(told?.at(1)).toMatch(/"lengthMs":\d+\}$/)

  const buyer = house.buyerAt(0)
  const { body } = await buy(service.url, buyer, 'press-afterwards')
  const { status } = await request(service.url, buyer, `/api/v1/activations/${body.data?.id}/cancel`, {
    method: 'POST',
  })
  expect(status).toBe(200)
  await until(() => peer.ended.has(`${body.data?.id}-1`))
  // The job runner that gave up left no job locked or overlooked. A failed job may wait for its next try.
  const stuck = 'graphile_worker._private_jobs WHERE locked_at IS NOT NULL OR run_at <= now()'
  await until(async () => (await countRows(house.pool, stuck)) === 0)
  expect(await countRows(house.pool, `messages WHERE supplier_message_id = 'while-away'`)).toBe(1)
  expect(peer.complaints).toEqual([])
  // Exactly one process still holds the lock that allows it to serve.
  await expect(startScriptedProcess(createScriptedPeer(), { databaseUrl, environment })).rejects.toThrow(
    'another Ringpost is already running on this database',
  )
  await expectLedgerRight(house.pool)
  expect(again.reused).toBe(false)
})
