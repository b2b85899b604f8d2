import { transitions } from '#server/core/numbers/activations/state.ts'
import type { Db } from '#server/house/db/pool.ts'
import { sqlList } from '#server/house/db/sql-list.ts'
import { debitInstead, recordInstead } from '#server/house/money/settle-sql.ts'
import {
  INSERT_RESERVED,
  INSERT_ROUTED,
  type Reservation,
  type ReservedId,
  reservationForbidden,
  reservationValues,
  unlessFull,
} from './purchase.ts'
import { type ActivationRow, columnsOf, endTold, stateEvents } from './row.ts'

/**
 * Cancels a waiting activation created by the time `createdBefore`, and reserves a new one with the released money, or
 * does neither. Returns null if a code came first, or if `reserve` would return null. Throws PromotionFull.
 */
export async function reserveReplacing(
  db: Db,
  input: Reservation & { replaced: bigint; createdBefore: Date },
): Promise<ActivationRow | null> {
  return unlessFull(
    input,
    db.query<ReservedId>({
      name: 'activation-reserve-replacing',
      queuesJobs: true,
      text: `WITH earlier AS (
      SELECT user_id, price_micros FROM activations
      WHERE id = $replaced AND user_id = $userId AND state IN (${sqlList(transitions.giveBack)}) AND created_at <= $createdBefore FOR UPDATE
    ), ${debitInstead('earlier', reservationForbidden('$replaced'))}, freed AS (
      UPDATE activations SET state = 'cancelled', money = 'released', ended_at = $now, outcome_at = $now
      FROM payer WHERE activations.id = $replaced
      RETURNING ${columnsOf('activations')}
    ), ${INSERT_RESERVED}, ${INSERT_ROUTED}, ${recordInstead({ freed: 'freed', of: 'activation_id', made: 'made' })},
    ${stateEvents('freed')}
    SELECT made.id FROM made WHERE ${endTold('freed')}`,
      values: { ...reservationValues(input), replaced: input.replaced, createdBefore: input.createdBefore },
    }),
  )
}
