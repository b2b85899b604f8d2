import { setTimeout as wait } from 'node:timers/promises'

const LOOK_AGAIN_MS = 50
const MAX_LOOKS = 20

/** A supplier may tell of a number before its answer to the purchase was settled: then that is waited for, a second at most. */
export async function waitUntilSettled(underWay: ReadonlySet<bigint>, id: bigint): Promise<void> {
  for (let look = 0; look < MAX_LOOKS && underWay.has(id); look += 1) await wait(LOOK_AGAIN_MS)
}
