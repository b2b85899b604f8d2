import { setTimeout as wait } from 'node:timers/promises'
import { SECOND } from '#contract/time.ts'
import type { UnderWay } from './under-way.ts'

const LOOK_AGAIN_MS = 50

/** Waits up to a second for an order's settlement, because a supplier may report before the order is known. */
export async function waitUntilSettled(underWay: UnderWay, id: bigint, limitMs = SECOND): Promise<void> {
  const mayBeMaking = underWay.makingNow()
  const looks = limitMs / LOOK_AGAIN_MS
  for (let look = 0; look < looks && (underWay.has(id) || mayBeMaking()); look += 1) await wait(LOOK_AGAIN_MS)
}
