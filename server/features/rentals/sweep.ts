import { formatPhone } from '#contract/phone-format.ts'
import type { Context } from '#server/context.ts'
import { transaction } from '#server/db/transaction.ts'
import {
  type OrphanOutcome,
  type Orphans,
  ripeBefore,
  settleAll,
  walkOrphans,
} from '#server/features/numbers/settle-orphans.ts'
import { SUPPLIER_TIMEOUT_MS, withTimeout } from '#server/features/numbers/with-timeout.ts'
import { queueMail } from '#server/mail/queue-mail.ts'
import { announceRental } from './announce.ts'
import { askExtension } from './ask-extension.ts'
import { rentReferenceOf, settleRental } from './ask-suppliers.ts'
import { captureDue, expireRentals, markWarned } from './queries/end.ts'
import { type ExtendedRental, listOpenExtensions } from './queries/extend.ts'
import { findAnyRental } from './queries/read.ts'
import { failRental, listRentalOrphans } from './queries/reserve.ts'
import type { RentalRow } from './queries/row.ts'
import { MAIL_FROM_HOURS } from './state.ts'

const BATCH = 200
const MAX_BATCHES = 20

/**
 * Everything that time does to rentals: ends those that are over, captures the price of those that cannot be cancelled any
 * more, and tells the buyers of those that end soon, once. Run each second, after `sweepExpired` and never beside it: both
 * take several accounts in one statement. Returns how many of each.
 */
export async function sweepRentals(ctx: Context): Promise<{ expired: number; captured: number; warned: number }> {
  return {
    expired: await inBatches(ctx, () => expireRentals(ctx.db, { now: ctx.clock.now(), limit: BATCH })),
    captured: await inBatches(ctx, () => captureDue(ctx.db, { now: ctx.clock.now(), limit: BATCH })),
    warned: await inBatches(ctx, () => warn(ctx)),
  }
}

async function inBatches(ctx: Context, take: () => Promise<RentalRow[]>): Promise<number> {
  let count = 0
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const rows = await take()
    for (const row of rows) await announceRental(ctx, row, { paid: false })
    count += rows.length
    if (rows.length < BATCH) break
  }
  return count
}

/** Who rented for a day or longer is told by mail as well, queued with the mark: he is told once. */
async function warn(ctx: Context): Promise<RentalRow[]> {
  return transaction(ctx.db, async (tx) => {
    const rows = await markWarned(tx, { now: ctx.clock.now(), limit: BATCH })
    for (const { email, locale, hours, phone, country_id, expires_at } of rows) {
      if (email === null || phone === null || hours < MAIL_FROM_HOURS) continue
      const shown = formatPhone(phone, ctx.catalog.countries.get(country_id)?.dial ?? '')
      const mail = { kind: 'rental-expiring' as const, phone: shown, until: expires_at.toISOString() }
      await queueMail(ctx, tx, { to: email, locale, mail })
    }
    return rows
  })
}

/** At start, before suppliers connect: as `claimOrphans` of activations. */
export async function claimRentalOrphans(ctx: Context): Promise<void> {
  const all = walkOrphans(orphansOf(ctx), ctx.clock.now())
  for await (const rows of all) for (const row of rows) ctx.renting.add(row.id)
}

/** At start: settles what an earlier process left open, rentals and extensions. Returns how many. */
export async function settleRentalOrphans(ctx: Context): Promise<number> {
  const all = { before: ctx.clock.now(), isOrphan: () => true }
  return (await settleAll(orphansOf(ctx), all)) + (await settleAll(extensionsOf(ctx), all))
}

/** The same while the service runs, with rentals and extensions under way. Run every few seconds. */
export async function sweepRenting(ctx: Context, input: { startedAt: Date }): Promise<number> {
  const left = { before: ripeBefore(ctx, input.startedAt), isOrphan: ({ id }: { id: bigint }) => !ctx.renting.has(id) }
  return (await settleAll(orphansOf(ctx), left)) + (await settleAll(extensionsOf(ctx), left))
}

function orphansOf(ctx: Context): Orphans<RentalRow> {
  return {
    underWay: ctx.renting,
    list: (input) => listRentalOrphans(ctx.db, input),
    settle: (row, silent) => settleOrphan(ctx, row, silent),
  }
}

async function settleOrphan(ctx: Context, row: RentalRow, silent: ReadonlySet<number>): Promise<OrphanOutcome> {
  const now = ctx.clock.now()
  const supplier = ctx.suppliers.get(row.supplier_id)
  const rent = supplier?.rent
  // Nobody keeps a buyer's money longer than he could have cancelled: he has it back, and a job goes on asking.
  if (row.cancel_until <= now || supplier === undefined || rent === undefined) {
    await failRental(ctx.db, { id: row.id, now, abandon: true })
    return 'released'
  }
  if (silent.has(supplier.id)) return 'open'
  try {
    const found = await withTimeout(SUPPLIER_TIMEOUT_MS, (signal) => rent.findRental(rentReferenceOf(row), signal))
    if (found.outcome === 'none') {
      await failRental(ctx.db, { id: row.id, now, abandon: false })
      return 'answered'
    }
    const outcome = await settleRental(ctx, supplier, row, found)
    if (outcome.result === 'settled') await announceRental(ctx, outcome.row, { paid: true })
    else await failRental(ctx.db, { id: row.id, now, abandon: true })
    return 'answered'
  } catch (error) {
    ctx.log.warn({ error, reference: rentReferenceOf(row) }, 'a rental stays open: its supplier gives no answer')
    return 'open'
  }
}

type OpenExtension = { id: bigint; supplier_id: number; created_at: Date; rental: ExtendedRental }

function extensionsOf(ctx: Context): Orphans<OpenExtension> {
  return {
    underWay: ctx.renting,
    async list(input) {
      const rentals = await listOpenExtensions(ctx.db, input)
      return rentals.map((rental) => ({ ...rental, created_at: rental.asked_at, rental }))
    },
    async settle({ rental }, silent) {
      if (silent.has(rental.supplier_id)) return 'open'
      if ((await askExtension(ctx, rental)) === 'open') return 'open'
      const row = await findAnyRental(ctx.db, rental.id)
      if (row !== null) await announceRental(ctx, row, { paid: true })
      return 'answered'
    },
  }
}
