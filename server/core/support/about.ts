import type { Locale } from '#contract/constants.ts'
import { toDecimal } from '#contract/money.ts'
import type { About, AboutInput, TicketRefund } from '#contract/support/support.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import { kindRecord } from '#server/core/numbers/listing/kind-record.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { REFUNDS_SHOWN, SUBJECTS_OF_KIND } from './limits.ts'
import { type AboutRow, findAbout, listSubjects } from './queries/about.ts'
import { listTicketRefunds } from './queries/refunds.ts'
import type { TicketRow } from './queries/row.ts'

const NUMBER_ID = /^\d{1,15}$/

/** Returns the purchase or payment that a ticket is about. Throws NOT_FOUND, also for one of another user. */
export async function requireAbout(ctx: Context, userId: number, { kind, id }: AboutInput): Promise<AboutRow> {
  if (kind !== 'payment' && !NUMBER_ID.test(id)) throw notFound()
  const found = await findAbout(ctx.db, { userId, kind, id: kind === 'payment' ? id : BigInt(id) })
  if (found === null) throw notFound()
  return found
}

export async function aboutOf(ctx: Context, ticket: TicketRow, locale: Locale): Promise<About | null> {
  const named = namedBy(ticket)
  if (named === null) return null
  const row = await findAbout(ctx.db, { userId: ticket.user_id, ...named })
  return row === null ? null : toAbout(ctx, row, locale)
}

export async function refundsOf(
  ctx: Context,
  ticket: Pick<TicketRow, 'id' | 'activation_id' | 'rental_id' | 'created_at'>,
  locale: Locale,
): Promise<TicketRefund[]> {
  const { id: ticketId, activation_id: activationId, rental_id: rentalId, created_at: since } = ticket
  const wanted = { ticketId, activationId, rentalId, since, limit: REFUNDS_SHOWN }
  return (await listTicketRefunds(ctx.db, wanted)).map((row) => {
    const { service, country } = kindRecord(ctx, row, locale)
    return {
      at: row.at.toISOString(),
      amount: toDecimal(row.amount_micros),
      currency: row.currency,
      service: service.name,
      phone: row.phone,
      dial: country.dial,
    }
  })
}

/**
 * Lists the purchases and payments that a ticket may be about: `wanted`, then the latest. Throws NOT_FOUND if `wanted`
 * belongs to another user.
 */
export async function listAbouts(
  ctx: Context,
  input: { userId: number; locale: Locale; wanted: AboutInput | null },
): Promise<About[]> {
  const { userId, locale, wanted } = input
  const first = wanted === null ? null : await requireAbout(ctx, userId, wanted)
  const latest = await listSubjects(ctx.db, { userId, ofKind: SUBJECTS_OF_KIND })
  const others = latest.filter((row) => row.kind !== first?.kind || row.row_id !== first.row_id)
  return [...(first === null ? [] : [first]), ...others].map((row) => toAbout(ctx, row, locale))
}

function namedBy(ticket: TicketRow): { kind: About['kind']; id: bigint } | null {
  if (ticket.activation_id !== null) return { kind: 'activation', id: ticket.activation_id }
  if (ticket.rental_id !== null) return { kind: 'rental', id: ticket.rental_id }
  if (ticket.payment_id !== null) return { kind: 'payment', id: ticket.payment_id }
  return null
}

function toAbout(ctx: Context, row: AboutRow, locale: Locale): About {
  const { currency } = row
  const created_at = row.created_at.toISOString()
  const amount = toDecimal(row.amount_micros)
  if (row.kind === 'payment') {
    const { kind, state } = row
    const system = gatewaysOf(ctx).findSystem(row.system)?.system.names[locale] ?? ''
    return { kind, id: row.transaction_id, system, amount, state, currency, created_at }
  }
  const { refunded_micros: back } = row
  const refunded = back === null ? null : toDecimal(back)
  const number = { id: row.row_id.toString(), phone: row.phone, price: amount, refunded, currency, created_at }
  const common = { ...number, ...kindRecord(ctx, row, locale) }
  return row.kind === 'activation'
    ? { kind: row.kind, ...common, state: row.state }
    : { kind: row.kind, ...common, state: row.state }
}
