import { setTimeout as wait } from 'node:timers/promises'
import { SECOND } from '#contract/time.ts'
import type { UnderWay } from './under-way.ts'

const LOOK_AGAIN_MS = 50

/**
 * A supplier may tell of a number before its answer to the purchase was settled: then that is waited for, a second at most.
 * An order whose statement is committed can be read before this process has the answer, and with it the order's id.
 */
export async function waitUntilSettled(underWay: UnderWay, id: bigint, limitMs = SECOND): Promise<void> {
  const mayBeMaking = underWay.makingNow()
  const looks = limitMs / LOOK_AGAIN_MS
  for (let look = 0; look < looks && (underWay.has(id) || mayBeMaking()); look += 1) await wait(LOOK_AGAIN_MS)
}
