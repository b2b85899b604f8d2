import { setTimeout as wait } from 'node:timers/promises'
import { SECOND } from '#contract/time.ts'

const LOOK_AGAIN_MS = 50

/** A supplier may tell of a number before its answer to the purchase was settled: then that is waited for, a second at most. */
export async function waitUntilSettled(underWay: ReadonlySet<bigint>, id: bigint, limitMs = SECOND): Promise<void> {
  const looks = limitMs / LOOK_AGAIN_MS
  for (let look = 0; look < looks && underWay.has(id); look += 1) await wait(LOOK_AGAIN_MS)
}
