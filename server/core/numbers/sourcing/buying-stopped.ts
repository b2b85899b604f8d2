import type { Context } from '#server/house/context.ts'
import { buyingStopped } from '#server/house/errors/buying-errors.ts'
import { perContext } from '#server/house/memory.ts'

/**
 * Tells whether staff have stopped all purchases by the command `buying:stop`. Loops read this switch from the database
 * each second.
 */
export const buyingOf = perContext(
  'stop of buying',
  { scope: 'process', nodes: 'told', lost: 'nothing: it is read from the tables' },
  () => ({ stopped: false }),
)

export function requireBuying(ctx: Context): void {
  if (buyingOf(ctx).stopped) throw buyingStopped()
}
