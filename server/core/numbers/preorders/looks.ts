import { perContext } from '#server/house/memory.ts'

/** `version`: the catalogue's at the last sweep; `lookAt` (ms) forces one; `sweptAt` reveals a clock set back. */
export const preorderLooksOf = perContext(
  'looks at pre-orders',
  { scope: 'process', lost: 'nothing: the first sweep looks at all' },
  () => ({ version: -1, lookAt: 0, sweptAt: 0 }),
)
