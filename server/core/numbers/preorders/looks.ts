import { perContext } from '#server/house/memory.ts'

/**
 * The state of the sweep of pre-orders. `version` is the catalogue's version, `lookAt` the time (ms) at which a sweep
 * must run, and `sweptAt` the last run, to notice a clock that was set back.
 */
export const preorderLooksOf = perContext(
  'looks at pre-orders',
  { scope: 'process', lost: 'nothing: the first sweep looks at all' },
  () => ({ version: -1, lookAt: 0, sweptAt: 0 }),
)
