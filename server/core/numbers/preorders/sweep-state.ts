import { perContext } from '#server/house/memory.ts'

/** The sweep's state: catalogue `version`, `lookAt` (ms) that forces a sweep, `sweptAt` to notice a clock set back. */
export const preorderSweepStateOf = perContext(
  'looks at pre-orders',
  { scope: 'process', lost: 'nothing: the first sweep looks at all' },
  () => ({ version: -1, lookAt: 0, sweptAt: 0 }),
)
