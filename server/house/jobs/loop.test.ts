import { expect, test } from 'vitest'
import { HOUR } from '#contract/time.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { startLoop } from './loop.ts'

test('a loop that is woken works at once, and once more if it works already', async () => {
  const begun: PromiseWithResolvers<void>[] = []
  const work = () => {
    const run = Promise.withResolvers<void>()
    begun.push(run)
    return run.promise
  }
  const loop = startLoop(recordingLog(), { name: 'test', everyMs: HOUR, work })
  loop.wake()
  loop.wake()
  await expect.poll(() => begun.length).toBe(1)
  loop.wake()
  loop.wake()
  begun[0]?.resolve()
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.resolve()
  await loop.stop()
  loop.wake()
  await new Promise(setImmediate)
  expect(begun).toHaveLength(2)
})
