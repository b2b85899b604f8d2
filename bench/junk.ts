/** Measures the time from an SMS to the event at the client, with and without a flood of unmatched messages. */
import { startChild } from './parts/ask-child.ts'
import type { BareIntakeAnswers } from './parts/bare/bare-intake.ts'
import { buyNumbers, openClient, serviceIntake } from './parts/one-message.ts'
import { addBuyers } from './parts/people.ts'
import { median, printFigures, printRatio, quantile, ratiosOf, takeTurns } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'
import { openHouse, openService, type Service } from './parts/temporary-house.ts'

const ROUNDS = 7
const SMS_PER_ROUND = 300
const WARM_UP_SMS = 300
const BARE_INSERTS = 5_000
const JUNK_SHARE = 1 / 3
/** The time limit is long, because 4 500 numbers are bought before the measurement. */
const LIMIT_SECONDS = 600

const measureBoth = async (stack: AsyncDisposableStack): Promise<void> => {
  const house = await openHouse(stack)
  const service = await openService(stack, house, { name: 'junk', environment: { MAX_OPEN_NUMBERS: '10000' } })
  const [buyer] = await addBuyers(service.db, 1)
  if (buyer === undefined) throw new Error('there is no buyer')
  const phones = await buyNumbers(stack, service, { buyer, count: WARM_UP_SMS + 2 * ROUNDS * SMS_PER_ROUND })
  const takeSms = serviceIntake(service, await openClient(stack, service, buyer))
  const measure = async (count: number): Promise<number[]> => {
    const times: number[] = []
    for (const phone of phones.splice(0, count)) times.push(await takeSms(phone))
    return times
  }
  const insertsPerSecond = await measureInserts(service)
  const perSecond = insertsPerSecond * JUNK_SHARE
  await measure(WARM_UP_SMS)
  const reached: { sent: number; takenIn: number }[] = []
  const found = await takeTurns(ROUNDS, {
    quiet: () => measure(SMS_PER_ROUND),
    junk: async () => {
      await service.process.ask('startJunk', { perSecond })
      const times = await measure(SMS_PER_ROUND)
      const junk = await service.process.ask('stopJunk', undefined)
      if (junk !== undefined) reached.push(junk)
      return times
    },
  })
  const ofJunk = (what: 'sent' | 'takenIn') => median(reached.map((junk) => junk[what])).toFixed(0)
  console.log(
    `bare INSERTs: ${insertsPerSecond.toFixed(0)} /s; junk: ${ofJunk('sent')} /s, taken in ${ofJunk('takenIn')} /s`,
  )
  report(found)
}

await runBenchmark(measureBoth, { limitSeconds: LIMIT_SECONDS })

async function measureInserts(service: Service): Promise<number> {
  const program = new URL('parts/bare/bare-intake.ts', import.meta.url)
  const environment = { DATABASE_URL: service.databaseUrl }
  await using child = await startChild<BareIntakeAnswers>(program, { environment })
  await child.ask('insertsPerSecond', { count: BARE_INSERTS })
  // The child process ends with this block, so its answer is awaited here.
  return await child.ask('insertsPerSecond', { count: BARE_INSERTS })
}

function report(found: { quiet: number[][]; junk: number[][] }): void {
  console.log(`ms from intake to client, ${SMS_PER_ROUND} messages one after another, by round`)
  for (const [name, share, target] of [
    ['p50', 0.5, null],
    ['p99', 0.99, { atMost: 3 }],
  ] as const) {
    const quiet = found.quiet.map((times) => quantile(times, share))
    const junk = found.junk.map((times) => quantile(times, share))
    printFigures(`SMS to event, ${name}`, quiet, 'ms')
    printFigures(`SMS to event with junk, ${name}`, junk, 'ms')
    printRatio(`with junk : without, ${name}`, ratiosOf(junk, quiet), target)
  }
}
