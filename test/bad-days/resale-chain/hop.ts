import type { Pool } from '#server/house/db/pool.ts'
import { type createScriptedPeer, type ScriptedProcess, startScriptedProcess } from '#test/fakes/scripted-peer.ts'
import { ownEnvironment } from '#test/harness/compiled-programs.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { freePort } from '#test/harness/free-port.ts'
import { type Buyer, furnish } from '../real-service.ts'

type Peer = ReturnType<typeof createScriptedPeer>

export type Hop = AsyncDisposable & {
  name: string
  url: string
  pool: Pool
  /** The account that buys at this service. It belongs to a service of the chain, or to the test's people. */
  buyer: Buyer
  start(): Promise<void>
  restart(): Promise<void>
  /** The last output of a process that ended by itself, or null. */
  lastWords(): string | null
}

/**
 * Prepares a service of the resale chain. It sells numbers of the service `from`; without `from`, those of the fake
 * supplier `peer`.
 */
export async function furnishHop(name: string, { peer, from }: { peer: Peer; from: Hop | null }): Promise<Hop> {
  await using stack = new AsyncDisposableStack()
  const { connectionString: databaseUrl } = stack.use(await createTestDatabase())
  const house = stack.use(await furnish(databaseUrl, 1))
  if (from !== null) await resell(house.pool, from)
  const port = await freePort()
  const environment = {
    ...ownEnvironment(),
    PORT: String(port),
    EARLY_CANCEL_SECONDS: '0',
    DATABASE_CONNECTIONS: '4',
    MAX_OPEN_NUMBERS: 'none',
  }
  let running: ScriptedProcess | null = null
  let isRestarting = false
  stack.defer(async () => {
    await running?.kill()
  })
  const start = async () => {
    running = await startScriptedProcess(peer, { databaseUrl, environment })
  }
  const kept = stack.move()
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    pool: house.pool,
    buyer: house.buyerAt(0),
    start,
    async restart() {
      isRestarting = true
      await running?.kill()
      await start()
      isRestarting = false
    },
    lastWords: () => (isRestarting || running === null || running.exitCode() === null ? null : running.said()),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function resell(pool: Pool, from: Hop): Promise<void> {
  const settings = {
    url: `${from.url}/stubs/handler_api.php`,
    key: from.buyer.key,
    dialect: 'ringpost',
    currency: 'rub',
    privateHost: true,
    callsPerSecond: 100,
    pollSeconds: 0.1,
    pricesSeconds: 1,
    balanceSeconds: 1,
  }
  const text = `UPDATE suppliers SET code = 'reseller', kind = 'handler-api', settings = $1`
  await pool.query({ text, values: [JSON.stringify(settings)] })
}
