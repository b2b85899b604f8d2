/** Measures how fast the service reads blocks while it watches 100 000 addresses, compared with bare requests. */

import { MINUTE } from '#contract/time.ts'
import { createEvm } from '#server/adapters/evm/evm.ts'
import type { Settling } from '#server/core/gateways/gateway.ts'
import { readConfig } from '#server/house/config/config.ts'
import { migrate } from '#server/house/db/migrate.ts'
import { Pool } from '#server/house/db/pool.ts'
import { buildContext } from '#server/programs/boot/build-context.ts'
import { XPUB } from '#test/builders/money/chain.ts'
import { SCRIPTED_TOKEN } from '#test/fakes/chain/scripted-chain.ts'
import { queryOnce, quietLog } from '#test/harness/postgres/temporary-postgres.ts'
import { startChild } from './parts/ask-child.ts'
import type { NodeAnswers } from './parts/chain-node.ts'
import { addOnlookers } from './parts/people.ts'
import { printFigures, printRatio, ratiosOf } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'
import { CONNECTIONS, openHouse } from './parts/temporary-house.ts'

const USERS = 1_000
const KEYS = 100
const ADDRESSES = USERS * KEYS
const ROUNDS = 5
const BLOCKS_A_ROUND = 2_000
const AT_ONCE = 16
const LIMIT_SECONDS = 600
/** The keccak-256 hash of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** So many confirmations are required that no payment is credited: only reading is measured. */
const CONFIRMATIONS = 1_000
const NOBODY_PAYS: Settling = {
  choose: async () => null,
  begin: () => Promise.reject(new Error('nothing is final')),
  settle: async () => undefined,
}

await runBenchmark(
  async (stack) => {
    const node = stack.use(await startChild<NodeAnswers>(new URL('parts/chain-node.ts', import.meta.url)))
    const { url, chainId } = await node.ask('address', undefined)
    const db = await openDatabase(stack)
    const gateway = await addWatch(db, { url, chainId })
    const signal = new AbortController().signal
    await gateway.follow?.(signal, NOBODY_PAYS)
    const [watched, bare, calls] = [[] as number[], [] as number[], [] as number[]]
    for (let round = 0; round < ROUNDS; round += 1) {
      const { height } = await node.ask('write', { blocks: BLOCKS_A_ROUND, owners: ADDRESSES })
      await node.ask('asked', undefined)
      const watch = async () => {
        watched.push(await perSecond(() => followTo(db, { height, turn: () => gateway.follow?.(signal, NOBODY_PAYS) })))
        const asked = await node.ask('asked', undefined)
        calls.push(((asked.eth_getBlockByNumber ?? 0) + (asked.eth_getLogs ?? 0)) / BLOCKS_A_ROUND)
      }
      const read = async () => {
        bare.push(await perSecond(() => readBarely(url, { from: height - BLOCKS_A_ROUND + 1, height })))
        await node.ask('asked', undefined)
      }
      for (const contender of round % 2 === 0 ? [watch, read] : [read, watch]) await contender()
    }
    console.log(`blocks per second over ${ADDRESSES} addresses, ${ROUNDS * BLOCKS_A_ROUND} blocks in all, by round`)
    printFigures('the watch: compared, stored, deposits found', watched, '/s')
    printFigures(`bare calls, ${AT_ONCE} at once`, bare, '/s')
    printFigures('calls of a node a block', calls, '')
    printRatio('the watch : bare calls', ratiosOf(watched, bare), { atLeast: 0.5 })
    const { rows } = await db.query<{ count: bigint }>({ text: 'SELECT count(*) FROM chain_deposits' })
    console.log(`  ${rows[0]?.count ?? 0n} deposits were found`)
  },
  { limitSeconds: LIMIT_SECONDS },
)

async function perSecond(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return BLOCKS_A_ROUND / ((performance.now() - began) / 1_000)
}

async function openDatabase(stack: AsyncDisposableStack): Promise<Pool> {
  const { postgres } = await openHouse(stack)
  await queryOnce(postgres.superuserConnectionString('postgres'), 'CREATE DATABASE chain OWNER ringpost')
  const connectionString = postgres.connectionString('chain')
  const options = { connectionString, maxConnections: CONNECTIONS, applicationName: 'bench', answerLimitMs: MINUTE }
  const db = stack.use(new Pool({ ...options, log: quietLog }))
  await migrate(db)
  await addOnlookers(db, USERS)
  await db.query({
    text: `INSERT INTO chain_branches SELECT 'key ' || n, $1 FROM generate_series(1, $2) n`,
    values: [USERS, KEYS],
  })
  await db.query({
    text: `INSERT INTO chain_addresses (branch, user_id, place, address, created_at)
      SELECT 'key ' || 1 + n / $1, user_id, place, '0x' || lpad(to_hex(n), 40, '0'), now()
      FROM (SELECT user_id, row_number() OVER (ORDER BY user_id) - 1 AS place FROM accounts ORDER BY user_id LIMIT $1) users,
        LATERAL (SELECT place + $1 * key AS n FROM generate_series(0, $2 - 1) key) addresses`,
    values: [USERS, KEYS],
  })
  await db.query({ text: 'ANALYZE' })
  return db
}

async function addWatch(db: Pool, { url, chainId }: { url: string; chainId: number }) {
  const settings = {
    rpc: [url],
    chain_id: chainId,
    confirmations: CONFIRMATIONS,
    xpub: XPUB,
    network: { en: 'Bench', ru: 'Стенд' },
    assets: [{ symbol: 'USDT', contract: SCRIPTED_TOKEN, decimals: 6, rate: 'usdt', dust: '1.00' }],
  }
  const { rows } = await db.query<{ id: number }>({
    text: `INSERT INTO gateways (code, kind, settings, created_at) VALUES ('evm', 'evm', $1, now()) RETURNING id`,
    values: [JSON.stringify(settings)],
  })
  const { config } = readConfig({ DEMO: '1' })
  const ctx = buildContext({ config, secrets: { secretKey: 'a secret of benchmarks' }, pool: db, log: quietLog })
  return createEvm(ctx, { id: rows[0]?.id ?? 0, code: 'evm', kind: 'evm', settings })
}

async function followTo(
  db: Pool,
  { height, turn }: { height: number; turn: () => Promise<void> | undefined },
): Promise<void> {
  for (;;) {
    await turn()
    const { rows } = await db.query<{ height: bigint }>({ text: 'SELECT height FROM chain_watches' })
    if (Number(rows[0]?.height ?? 0) >= height) return
  }
}

/** Requests the same blocks from a node as the service does, and drops the replies. */
async function readBarely(url: string, { from, height }: { from: number; height: number }): Promise<void> {
  let next = from
  const worker = async () => {
    while (next <= height) {
      const number = next
      next += 1
      const block = await ask<{ hash: string }>(url, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
      await ask(url, 'eth_getLogs', [{ blockHash: block.hash, address: [SCRIPTED_TOKEN], topics: [TRANSFER] }])
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function ask<T>(url: string, method: string, params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  // The cast is safe: the benchmark's own node answers in this shape.
  return ((await response.json()) as { result: T }).result
}
