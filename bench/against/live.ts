import { buyNumbers, type Intake, openClient, serviceIntake } from '../parts/one-message.ts'
import { quantile } from '../parts/rounds.ts'
import type { Load } from './compare.ts'
import { openSide } from './open-side.ts'
import type { Side } from './sides.ts'

const SMS_PER_ROUND = 250

/** Returns a load for a benchmark that measures the time from a number's first SMS to the event at the buyer. */
export async function live(stack: AsyncDisposableStack, side: Side): Promise<Load> {
  const { service, pids } = await openSide(stack, side, { environment: { MAX_OPEN_NUMBERS: '10000' } })
  const [buyer] = await side.addBuyers(service.db, 1)
  if (buyer === undefined) throw new Error('there is no buyer')
  const takeSms: Intake = serviceIntake(service, await openClient(stack, service, buyer))
  let phones: string[] = []
  const prepare = async () => {
    await using buying = new AsyncDisposableStack()
    phones = await buyNumbers(buying, service, { buyer, count: SMS_PER_ROUND })
  }
  const round = async () => {
    const times: number[] = []
    for (const phone of phones) times.push(await takeSms(phone))
    const figures = { 'SMS to event, p50, ms': quantile(times, 0.5), 'SMS to event, p99, ms': quantile(times, 0.99) }
    return { operations: phones.length, figures }
  }
  return { pids, prepare, round }
}
