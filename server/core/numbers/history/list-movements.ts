import type { Locale } from '#contract/constants.ts'
import { toDecimal } from '#contract/money.ts'
import type { MovementItem, MovementsReply } from '#contract/past/history.ts'
import { kindRecord } from '#server/core/numbers/listing/kind-record.ts'
import type { Context } from '#server/house/context.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { readBehind } from '#server/house/replica/read-behind.ts'
import { exportSemaphoreOf, MOST_READINGS } from './export-semaphore.ts'
import type { MovementRow } from './movement-queries.ts'
import { toMovementsCursor } from './movements-cursor.ts'
import { type MovementsFilter, pageOfMovements } from './page-of-movements.ts'
import { paymentOf } from './payment-of.ts'

type Filter = MovementsFilter & { cursor?: string | undefined; per_page: number }

/** GET /api/v1/movements: lists the movements of the balance. Throws TOO_MANY_REQUESTS. */
export async function listBalanceMovements(
  ctx: Context,
  caller: MemberCaller,
  filter: Filter,
): Promise<MovementsReply> {
  const semaphore = exportSemaphoreOf(ctx, 'movements')
  const end = semaphore.begin(caller.member.userId, MOST_READINGS)
  return semaphore.run(() => readMovements(ctx, caller, filter)).finally(end)
}

/** Reads a page of movements. The caller must hold the semaphore for exports. */
export async function readMovements(ctx: Context, caller: MemberCaller, filter: Filter): Promise<MovementsReply> {
  const wanted = { userId: caller.member.userId, filter, cursor: filter.cursor, limit: filter.per_page }
  const { rows, next } = await readBehind(ctx, caller, (db) => pageOfMovements(ctx, db, wanted))
  return {
    status: true,
    movements: {
      data: rows.map((row) => toMovement(ctx, row, caller.locale)),
      meta: {
        next_cursor: next === null ? null : toMovementsCursor(ctx, caller.member.userId, [next.id, next.balanceMicros]),
      },
    },
  }
}

function toMovement(ctx: Context, row: MovementRow, locale: Locale): MovementItem {
  return {
    id: Number(row.id),
    kind: row.kind,
    amount: toDecimal(row.delta_micros),
    balance: toDecimal(row.balance_micros),
    currency: row.currency,
    subject: subjectOf(ctx, row, locale),
    payment: paymentOf(ctx, row, locale),
    at: row.at.toISOString(),
  }
}

function subjectOf(ctx: Context, row: MovementRow, locale: Locale): MovementItem['subject'] {
  const { purpose, subject_id: id, money, service_code, country_id } = row
  if (purpose === null || id === null || money === null || service_code === null || country_id === null) return null
  return { purpose, id: Number(id), money, ...kindRecord(ctx, { service_code, country_id }, locale) }
}
