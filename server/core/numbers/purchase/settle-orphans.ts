import { MINUTE, SECOND } from '#contract/time.ts'
import { askSupplier } from '#server/core/catalog/health/ask-supplier.ts'
import { handOverEarly } from '#server/core/numbers/delivery/hand-over.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { SUPPLIER_TIMEOUT_MS } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { contextOfOrder } from '#server/house/sandbox.ts'
import type { OrderKind, OrderRow } from '../sourcing/order-kind.ts'
import type { OrphanQuery } from '../sourcing/queries/orphan-values.ts'
import { settleNumber } from '../sourcing/source-number.ts'
import type { UnderWay } from '../sourcing/under-way.ts'

const BATCH = 50
/**
 * The age in ms at which an unsettled order is given up. Money must be held for at most 30 seconds without a known
 * outcome, and the sweep runs each second.
 */
export const RESERVED_LIMIT_MS = 28 * SECOND

/** An order that is dated this far in the future was made before the clock was set back. */
const AHEAD_MS = MINUTE

export const ALWAYS = new Date('9999-12-31T00:00:00.000Z')

type Reserved = { id: bigint; supplier_id: number; created_at: Date }

/** The result for an unsettled order: the supplier `answered`, or the money was `released` without a query. */
type OrphanOutcome = 'answered' | 'released' | 'open'

export type Orphans<Row> = {
  underWay: UnderWay
  list(input: Listing): Promise<Row[]>
  /** `silent` holds suppliers that answered nothing in an earlier batch. */
  settle(row: Row, silent: ReadonlySet<number>): Promise<OrphanOutcome>
  giveUp(row: Row): Promise<unknown>
}

type Listing = Omit<OrphanQuery, 'nodeId'>

type Range = { from?: Date; before?: Date }

/** Lists the unsettled orders of this node in batches. The list ends, because an order that stays comes only once. */
export async function* walkOrphans<Row extends Reserved>(
  orphans: Orphans<Row>,
  { from, before = ALWAYS }: Range = {},
): AsyncGenerator<Row[]> {
  let after: OrphanQuery['after'] = from === undefined ? null : { createdAt: from, id: 0n }
  for (;;) {
    const rows: Row[] = await orphans.list({ before, after, limit: BATCH })
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return
    after = { createdAt: last.created_at, id: last.id }
  }
}

/** Settles abandoned reservations by querying their suppliers, without buying. Returns how many were settled. */
export async function settleAll<Row extends Reserved>(
  orphans: Orphans<Row>,
  isOrphan: (row: Row) => boolean,
): Promise<number> {
  const silent = new Set<number>()
  let count = 0
  for await (const rows of walkOrphans(orphans)) {
    const left = rows.filter(isOrphan)
    for (const row of left) orphans.underWay.add(row.id)
    // Orders are settled in parallel, so a supplier that hangs costs only one time-out.
    const outcomes = await Promise.all(
      left.map(async (row) => {
        const outcome = await orphans.settle(row, silent).finally(() => orphans.underWay.delete(row.id))
        return { supplierId: row.supplier_id, outcome }
      }),
    )
    count += outcomes.filter(({ outcome }) => outcome !== 'open').length
    // A supplier that answered nothing in a whole batch is not queried again before the next sweep.
    const answering = new Set(outcomes.filter(({ outcome }) => outcome === 'answered').map((one) => one.supplierId))
    for (const { supplierId, outcome } of outcomes) {
      if (outcome === 'open' && !answering.has(supplierId)) silent.add(supplierId)
    }
  }
  return count
}

/**
 * Gives up orders older than `limitMs`, even those in progress; a later reply then finds the order ended. Also gives up
 * orders dated in the future by a clock that was set back, unless they are in progress.
 */
export async function giveUpAll<Row extends Reserved>(
  ctx: Context,
  orphans: Orphans<Row>,
  limitMs: number,
): Promise<number> {
  const inMs = (ms: number) => new Date(ctx.clock.now().getTime() + ms)
  const count = await giveUpEach(ctx, orphans, { range: { before: inMs(-limitMs) }, isOver: () => true })
  const isOver = orphans.underWay.leftBehind(ctx.clock)
  return count + (await giveUpEach(ctx, orphans, { range: { from: inMs(AHEAD_MS) }, isOver }))
}

async function giveUpEach<Row extends Reserved>(
  ctx: Context,
  orphans: Orphans<Row>,
  { range, isOver }: { range: Range; isOver: (row: Row) => boolean },
): Promise<number> {
  let count = 0
  for await (const rows of walkOrphans(orphans, range)) {
    for (const row of rows.filter(isOver)) {
      const { id, supplier_id: supplierId } = row
      try {
        if ((await orphans.giveUp(row)) === null) continue
        count += 1
        ctx.log.warn({ id: id.toString(), supplierId }, 'an order was given up: its supplier gave no answer in time')
      } catch (error) {
        // If one order cannot be given up, the loop continues with the next orders.
        ctx.log.error({ error, id: id.toString() }, 'an order without an answer could not be given up')
      }
    }
  }
  return count
}

export function reservationsOf<Row extends OrderRow>(ctx: Context, kind: OrderKind<Row>): Orphans<Row> {
  return {
    underWay: kind.underWay(ctx),
    list: (query) => kind.listOrphans(ctx.db, { ...query, nodeId: nodeOf(ctx).id }),
    settle: (row, silent) => settleReservation(ctx, kind, row, silent),
    giveUp: ({ id }) => kind.fail(ctx.db, { id, nodeId: nodeOf(ctx).id, now: ctx.clock.now(), abandon: true }),
  }
}

async function settleReservation<Row extends OrderRow>(
  given: Context,
  kind: OrderKind<Row>,
  row: Row,
  silent: ReadonlySet<number>,
): Promise<OrphanOutcome> {
  const ctx = contextOfOrder(given, row.supplier_id)
  const now = ctx.clock.now()
  const failed = { id: row.id, nodeId: nodeOf(ctx).id, now }
  const supplier = suppliersOf(ctx).get(row.supplier_id)
  const seller = supplier && kind.sellerOf(supplier)
  // The buyer gets the money back, and a job continues to query the supplier.
  if (kind.wantedUntil(row) <= now || supplier === undefined || seller === undefined) {
    await kind.fail(ctx.db, { ...failed, abandon: true })
    return 'released'
  }
  if (silent.has(supplier.id)) return 'open'
  const reference = kind.referenceOf(row)
  try {
    const asked = { supplier, call: 'find', limitMs: SUPPLIER_TIMEOUT_MS } as const
    const found = await askSupplier(ctx, asked, (signal) => seller.find(reference, signal))
    if (found.outcome === 'none') {
      await kind.fail(ctx.db, { ...failed, abandon: false })
      return 'answered'
    }
    const outcome = await settleNumber(ctx, kind, { supplier, row, number: found })
    if (outcome.result === 'settled') {
      await kind.announce(ctx, outcome.row)
      await handOverEarly(ctx, outcome.row)
    } else await kind.fail(ctx.db, { ...failed, abandon: true })
    return 'answered'
  } catch (error) {
    ctx.log.warn({ error, reference }, 'a reservation stays open: its supplier gives no answer')
    return 'open'
  }
}
