import { SECOND } from '#contract/time.ts'
import { findSight, listEventsUntil, noteSight } from '#server/gateways/coins/queries.ts'
import { type CoinSource, LATE_AFTER_MS } from '#server/gateways/coins/value-coins.ts'
import { type Exact, isLess, NOTHING } from '#server/gateways/exact-decimal.ts'
import type { KnownPayment } from '#server/gateways/gateway.ts'
import { type HeleketInvoice, invoiceSchema } from './api.ts'
import { coinsTold, type Reading } from './coins-told.ts'
import { MEANINGS } from './meanings.ts'

type Seen = { invoice: HeleketInvoice; payment: KnownPayment; reading: Reading }

/**
 * How many coins came while the invoice's rate held. Heleket tells no time of them: when we first saw them counts, or first heard of
 * them by a webhook whose question was not answered.
 */
export async function findInTime({ ctx, gatewayId }: CoinSource, { invoice, payment, reading }: Seen): Promise<Exact> {
  const now = ctx.clock.now()
  const { transactionId, expiresAt } = payment
  const endMs = invoice.expired_at == null ? expiresAt.getTime() : invoice.expired_at * SECOND
  const until = new Date(endMs + LATE_AFTER_MS)
  const asset = assetOf(invoice, reading)
  const { came, due } = coinsTold(invoice, reading)
  const coins = isThere(invoice) ? (came ?? due) : NOTHING
  if (coins.units === 0n) return NOTHING
  const isTold = came !== null || isCertain(invoice)
  await noteSight(ctx.db, { gatewayId, transactionId, asset, coins, isTold, isInTime: now <= until, now })
  const sight = await findSight(ctx.db, { transactionId, asset })
  if (!isLess(sight, coins)) return sight
  const bodies = await listEventsUntil(ctx.db, { transactionId, until })
  return bodies.flatMap(readInvoice).reduce((most, heard) => {
    if (heard.uuid !== invoice.uuid || assetOf(heard, reading) !== asset) return most
    const told = coinsTold(heard, reading)
    const sum = isThere(heard) ? (told.came ?? (isCertain(heard) ? told.due : NOTHING)) : NOTHING
    return isLess(most, sum) ? sum : most
  }, sight)
}

function assetOf(invoice: HeleketInvoice, reading: Reading): string {
  return coinsTold(invoice, reading).asset ?? ''
}

/** Also of money that is not certain yet. */
function isThere({ status, txid }: HeleketInvoice): boolean {
  const { progress, arrived } = MEANINGS[status] ?? { progress: 'pending', arrived: 'nothing' }
  return progress === 'confirming' || (arrived === 'late' ? Boolean(txid) : arrived !== 'nothing')
}

/** All that was due, whether or not it says how much that is. */
function isCertain({ status }: HeleketInvoice): boolean {
  const { arrived } = MEANINGS[status] ?? { arrived: 'nothing' }
  return arrived === 'whole' || arrived === 'more'
}

/** A webhook has the fields of an invoice; one without an amount tells nothing. */
function readInvoice(body: Buffer): HeleketInvoice[] {
  const parsed = invoiceSchema.safeParse(JSON.parse(body.toString('utf8')))
  return parsed.success ? [parsed.data] : []
}
