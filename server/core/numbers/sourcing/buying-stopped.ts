import type { Context } from '#server/house/context.ts'
import { buyingStopped } from '#server/house/errors/buying-errors.ts'
import { perContext } from '#server/house/memory.ts'

/** The operator's switch (`buying:stop`); loops read it from the database each second. */
export const buyingOf = perContext(
  'stop of buying',
  { scope: 'process', lost: 'nothing: it is read from the tables' },
  () => ({ stopped: false }),
)

/** Throws BUYING_STOPPED. */
export function requireBuying(ctx: Context): void {
  if (buyingOf(ctx).stopped) throw buyingStopped()
}
