import { SECOND } from '#contract/time.ts'
import { Unsent } from '#server/adapters/shared/resold/wire/throttle.ts'

const MOST_WAITING = 20
const MOST_OF_ONE = 5
/** The longest wait in the queue. A rental that waited longer would have too little time left for its request. */
const LONGEST_WAIT_MS = 2 * SECOND
const MOST_REMEMBERED = 1_000

export type InRentalQueue = <Result>(wisher: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Makes a queue that runs rentals one by one, for the buyer served longest ago first. Throws Unsent for a rental that
 * was not begun. Unlike in the general fair queue, a wait ends on time even if the running request hangs.
 */
export function createRentalQueue(): InRentalQueue {
  const waiting: { wisher: string; begin: () => void }[] = []
  const served = new Map<string, number>()
  let serial = 0
  let isBusy = false

  const note = (wisher: string): void => {
    if (served.size >= MOST_REMEMBERED) served.clear()
    serial += 1
    served.set(wisher, serial)
  }
  const next = (): void => {
    const [first] = waiting.toSorted((a, b) => (served.get(a.wisher) ?? 0) - (served.get(b.wisher) ?? 0))
    isBusy = first !== undefined
    if (first === undefined) return
    waiting.splice(waiting.indexOf(first), 1)
    note(first.wisher)
    first.begin()
  }
  const waitForPlace = async (wisher: string): Promise<void> => {
    const own = waiting.filter((one) => one.wisher === wisher).length
    if (waiting.length >= MOST_WAITING || own >= MOST_OF_ONE) throw new Unsent('too many rentals wait for the supplier')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const one = { wisher, begin: resolve }
    waiting.push(one)
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(one), 1)
      reject(new Unsent('a rental waited too long for its place at the supplier'))
    }, LONGEST_WAIT_MS)
    await promise.finally(() => clearTimeout(timer))
  }

  return async (wisher, work) => {
    if (isBusy) await waitForPlace(wisher)
    else note(wisher)
    isBusy = true
    try {
      return await work()
    } finally {
      next()
    }
  }
}
