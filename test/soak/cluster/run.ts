import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MINUTE } from '#contract/time.ts'
import { writeWhole } from '#server/house/write-whole.ts'
import { shareCompiled } from '#test/harness/compiled-programs.ts'
import { findProgram } from '#test/harness/programs.ts'
import { startLoad } from './buyers.ts'
import { checkRecord } from './checks.ts'
import { checkCodes } from './code-times.ts'
import { faultOf } from './faults.ts'
import { addNumbers, type Buyer, furnishShop, makeVouchers } from './furnish.ts'
import { randomOf } from './random.ts'
import { Record } from './record.ts'
import { sleep, until } from './wait.ts'
import { startWorld, type World } from './world.ts'

const BUYERS = 6
const CALM_MS = 4_000
const SETTLE_LIMIT_MS = 30_000
const VOUCHERS = 20
/** A machine that lacks a processor for this share of the time proves nothing about times. */
const MOST_BUSY = 0.6

/** The next piece goes on from this. */
type State = { seed: string; round: number; buyers: Buyer[] }

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    folder: { type: 'string', default: '/var/tmp/ringpost-soak-cluster' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    asynchronous: { type: 'boolean', default: false },
    fault: { type: 'string' },
  },
})

const NEEDED = {
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  'redis-server': 'redis-server',
  ip: 'iproute2',
  faketime: 'faketime',
}
const missing = Object.entries(NEEDED).flatMap(([name, wanted]) => (findProgram(name) === undefined ? [wanted] : []))
if (missing.length > 0) {
  console.error(`npm run soak cluster needs these Debian packages, which are not installed: ${missing.join(', ')}.`)
  process.exit(1)
}
shareCompiled()
process.exitCode = (await runPiece(values)) ? 0 : 1
// The processes of the machines end with this one.
process.exit()

async function runPiece({ minutes, folder, seed, asynchronous, fault: only }: typeof values): Promise<boolean> {
  await mkdir(folder, { recursive: true })
  const stateFile = join(folder, 'state.json')
  const state: State = existsSync(stateFile)
    ? (JSON.parse(await readFile(stateFile, 'utf8')) as State)
    : { seed, round: 0, buyers: [] }
  const save = () => writeWhole(stateFile, JSON.stringify(state))
  const record = new Record(join(folder, 'record.jsonl'))
  console.log(`Seed ${state.seed}, round ${state.round}, ${record.bought.size} purchases so far, in ${folder}`)
  const world = await startWorld(folder, {
    isSynchronous: !asynchronous,
    async furnish(pool, databaseUrl) {
      if (state.buyers.length === 0) state.buyers = await furnishShop(pool, databaseUrl, BUYERS)
      await save()
    },
  })
  const endMs = performance.now() + Number(minutes) * MINUTE
  let isRight = true
  while (isRight && performance.now() < endMs) {
    const { round } = state
    state.round += 1
    await save()
    const drawn = (turn: number) => randomOf(`${state.seed} turn ${turn}`)
    const fault = faultOf(round, drawn, only)
    isRight = await runRound(world, { state, record, fault, round, maySayLost: asynchronous })
  }
  return isRight
}

/** Returns a function that tells for which share of the time since some task waited for a processor. */
function watchProcessors(): () => number {
  const read = () => Number(/total=(\d+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1] ?? 0) / 1_000
  const [waitedMs, startMs] = [read(), performance.now()]
  return () => (read() - waitedMs) / (performance.now() - startMs)
}

type Round = { state: State; record: Record; fault: ReturnType<typeof faultOf>; round: number; maySayLost: boolean }

async function runRound(world: World, { state, record, fault, round, maySayLost }: Round): Promise<boolean> {
  const random = randomOf(`${state.seed} round ${round}`)
  await addNumbers(world.pool, round)
  const vouchers = await makeVouchers(world.postgres.url, VOUCHERS, `round-${round}-${Date.now()}`)
  const sinceMs = Date.now()
  const busyShare = watchProcessors()
  const before = record.bought.size
  const load = startLoad({ url: world.url, record, random }, { buyers: state.buyers, vouchers, round })
  await sleep(CALM_MS)
  await fault.run(world, random)
  const mendedAtMs = Date.now()
  await world.steady()
  const healedAtMs = Date.now()
  await sleep(CALM_MS)
  const { late, never, longestMs, count } = await checkCodes(record, { sinceMs, healedAtMs })
  await load.stop()
  const isSettled = async () => {
    const text = `SELECT FROM activations WHERE state = 'reserving'
      UNION ALL SELECT FROM rentals WHERE state = 'reserving'`
    return (await world.pool.query({ text })).rowCount === 0
  }
  await until(isSettled, SETTLE_LIMIT_MS, 'an order stays reserving')
  const found = await checkRecord({ url: world.url, pool: world.pool, record }, state.buyers)
  const busy = busyShare()
  const mayBeLate = busy > MOST_BUSY
  const lost = [...found.lost, ...never.map((code) => `${code} never came`)]
  const wrong = [...found.wrong, ...(mayBeLate ? [] : late), ...(maySayLost ? [] : lost)]
  const codes = `${count} codes, ${late.length} late, the slowest in time ${longestMs} ms`
  const steady = `steady ${healedAtMs - mendedAtMs} ms after it was mended`
  const purchases = `${record.bought.size - before} purchases`
  const lacked = `processors lacked ${Math.round(busy * 100)} %`
  console.log(`${round} ${fault.name}: ${[steady, purchases, codes, lacked].join(', ')}`)
  if (mayBeLate) for (const one of late) console.log(`  late: ${one}`)
  for (const one of maySayLost ? lost : []) console.log(`  LOST by the asynchronous fail-over: ${one}`)
  for (const one of wrong) console.log(`  WRONG: ${one}`)
  return wrong.length === 0
}
