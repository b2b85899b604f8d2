import type { Locale } from '#contract/constants.ts'
import { toDecimal } from '#contract/money.ts'
import { type EntriesReply, type Entry, MOST_STEPS } from '#contract/past/entries.ts'
import { kindRecord } from '#server/core/numbers/listing/kind-record.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { readBehind } from '#server/house/replica/read-behind.ts'
import { exportSemaphoreOf, MOST_READINGS } from '../export-semaphore.ts'
import { findTransferUpTo, type MovementsWanted } from '../movement-queries.ts'
import { NEWEST_ID } from '../movements-by-time.ts'
import { readMovementsCursor, toMovementsCursor } from '../movements-cursor.ts'
import { type MovementsFilter, walkBack } from '../page-of-movements.ts'
import { paymentOf } from '../payment-of.ts'
import { listEntries, type StepRow } from './entry-queries.ts'
import { partsOf } from './parts-of.ts'

/** The maximum numbers of scanned movements, low because each movement costs a look-up of its whole entry. */
const SCAN = { atOnce: 4_000, most: 20_000 }

/** GET /api/v1/entries: lists the movements of one purchase or payment as a single entry. */
export async function listBalanceEntries(
  ctx: Context,
  caller: MemberCaller,
  filter: MovementsFilter & { cursor?: string | undefined; per_page: number },
): Promise<EntriesReply> {
  const { userId } = caller.member
  const semaphore = exportSemaphoreOf(ctx, 'entries')
  const end = semaphore.begin(userId, MOST_READINGS)
  const read = async (db: Db) => {
    const { after, topId } = await readPlace(ctx, db, { userId, cursor: filter.cursor })
    const list = async (wanted: MovementsWanted) => byEntry(await listEntries(db, { ...wanted, topId }))
    return { topId, ...(await walkBack(db, { userId, filter, after, scan: SCAN, limit: filter.per_page, list })) }
  }
  const { rows, next, topId } = await semaphore.run(() => readBehind(ctx, caller, read)).finally(end)
  return {
    status: true,
    entries: {
      data: rows.map(({ steps }) => toEntry(ctx, steps, caller.locale)),
      meta: {
        next_cursor: next === null ? null : toMovementsCursor(ctx, userId, [next.id, next.balanceMicros, topId]),
      },
    },
  }
}

/** All pages of a listing ignore transfers made after the first page was read. */
async function readPlace(ctx: Context, db: Db, { userId, cursor }: { userId: number; cursor: string | undefined }) {
  const [id, balanceMicros, topId] = readMovementsCursor(ctx, userId, cursor, 3) ?? []
  if (id !== undefined && balanceMicros !== undefined && topId !== undefined) {
    return { after: { id, balanceMicros }, topId }
  }
  const newest = await findTransferUpTo(db, { userId, id: NEWEST_ID })
  return { after: null, topId: newest?.id ?? 0n }
}

type EntryRow = { id: bigint; balance_micros: bigint; steps: [StepRow, ...StepRow[]] }

function byEntry(rows: readonly StepRow[]): EntryRow[] {
  const entries: EntryRow[] = []
  for (const row of rows) {
    const last = entries.at(-1)
    if (last?.id === row.entry_id) last.steps.push(row)
    else entries.push({ id: row.entry_id, balance_micros: row.entry_balance_micros, steps: [row] })
  }
  return entries
}

function toEntry(ctx: Context, steps: EntryRow['steps'], locale: Locale): Entry {
  const [first] = steps
  const { entry_id: entryId, state, dispute } = first
  const payment = paymentOf(ctx, first, locale)
  return {
    id: Number(entryId),
    kind: kindOf(first),
    amount: toDecimal(first.net_micros),
    balance: toDecimal(first.entry_balance_micros),
    currency: first.currency,
    parts: partsOf(steps),
    steps: steps
      .filter(({ place }) => place <= MOST_STEPS)
      .sort((one, other) => Number(one.place - other.place))
      .map((step) => ({
        id: Number(step.id),
        kind: step.kind,
        amount: toDecimal(step.amount_micros),
        change: toDecimal(step.delta_micros),
        purpose: step.purpose,
        at: step.at.toISOString(),
      })),
    steps_count: Number(first.steps_count),
    subject: subjectOf(ctx, first, locale),
    payment: payment === null || state === null ? null : { ...payment, state, dispute },
    at: (steps.find(({ id }) => id === entryId) ?? first).at.toISOString(),
  }
}

/** A fulfilled pre-order is shown as the order that it bought. */
function kindOf(row: StepRow): Entry['kind'] {
  if (row.activation_id !== null) return 'activation'
  if (row.rental_id !== null) return 'rental'
  if (row.preorder_id !== null) return 'preorder'
  return row.transaction_id === null ? 'alone' : 'payment'
}

function subjectOf(ctx: Context, row: StepRow, locale: Locale): Entry['subject'] {
  const { service_code, country_id, preorder_id: preorderId } = row
  const id = row.activation_id ?? row.rental_id ?? preorderId
  if (id === null || service_code === null || country_id === null) return null
  return {
    id: Number(id),
    preorder_id: preorderId === null ? null : Number(preorderId),
    ...kindRecord(ctx, { service_code, country_id }, locale),
  }
}
