import { setTimeout as wait } from 'node:timers/promises'
import { SECOND } from '#contract/time.ts'
import type { UnderWay } from './under-way.ts'

const LOOK_AGAIN_MS = 50

/**
 * Waits up to a second until an order is settled, because a supplier may report about a number before this process
 * knows its order.
 */
export async function waitUntilSettled(underWay: UnderWay, id: bigint, limitMs = SECOND): Promise<void> {
  const mayBeMaking = underWay.makingNow()
  const looks = limitMs / LOOK_AGAIN_MS
  for (let look = 0; look < looks && (underWay.has(id) || mayBeMaking()); look += 1) await wait(LOOK_AGAIN_MS)
}
