import { perContext } from '#server/house/memory.ts'

/**
 * Returns the state of the sweep of pre-orders. `version` is the catalogue's version at the last sweep, `lookAt` the
 * time (ms) of the next forced sweep. `sweptAt` reveals a clock set back.
 */
export const preorderSweepStateOf = perContext(
  'looks at pre-orders',
  { scope: 'process', nodes: 'leased', lost: 'nothing: the first sweep looks at all' },
  () => ({ version: -1, lookAt: 0, sweptAt: 0 }),
)
