import { perContext } from '#server/house/memory.ts'

/**
 * The state of the pre-order sweep: the catalogue `version` at the last sweep, `lookAt` (ms) that forces a sweep, and
 * `sweptAt`, which reveals a clock set back.
 */
export const preorderLooksOf = perContext(
  'looks at pre-orders',
  { scope: 'process', lost: 'nothing: the first sweep looks at all' },
  () => ({ version: -1, lookAt: 0, sweptAt: 0 }),
)
