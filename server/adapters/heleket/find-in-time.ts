import { SECOND } from '#contract/time.ts'
import { listEventsUntil, lockForCoins } from '#server/adapters/shared/coins/queries.ts'
import { type CoinSource, LATE_AFTER_MS } from '#server/adapters/shared/coins/value-coins.ts'
import { type Exact, isLess } from '#server/adapters/shared/exact-decimal.ts'
import type { KnownPayment } from '#server/core/gateways/gateway.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { type HeleketInvoice, invoiceSchema } from './api.ts'
import { MEANINGS } from './meanings.ts'
import { findSight, storeSight } from './queries.ts'
import { type Reading, reportedCoins } from './reported-coins.ts'
import { type InvoiceReply, noTimelyCoins, seenInTime, seenLater, type TimelyCoins } from './timely-coins.ts'

type Seen = { invoice: HeleketInvoice; payment: KnownPayment; reading: Reading; askedAt: Date }

/**
 * Returns the amount of coins that arrived while the invoice's rate was valid. Heleket tells no time of arrival. So the
 * time of our first query counts, or the time of a webhook if no query followed before the rate expired.
 */
export async function findInTime(
  { ctx, gatewayId }: CoinSource,
  { invoice, payment, reading, askedAt }: Seen,
): Promise<Exact> {
  const { transactionId, expiresAt } = payment
  const endMs = invoice.expired_at == null ? expiresAt.getTime() : invoice.expired_at * SECOND
  const until = new Date(endMs + LATE_AFTER_MS)
  const look = lookOf(invoice, { reading, at: askedAt })
  return transaction(ctx.db, async (tx) => {
    await lockForCoins(tx, transactionId)
    const { lookedAt, ...known } = (await findSight(tx, transactionId)) ?? { ...noTimelyCoins(look), lookedAt: null }
    // A query made after this one has been processed already, so this reply is outdated.
    if (lookedAt !== null && askedAt < lookedAt) return known.coins
    let sight: TimelyCoins = known
    if (askedAt <= until) sight = seenInTime(sight, look)
    else {
      for (const { body, received_at: at } of await listEventsUntil(tx, { transactionId, since: lookedAt, until })) {
        sight = readInvoice(body).reduce((before, heard) => hear(before, { heard, invoice, reading, at }), sight)
      }
      sight = seenLater(sight, look)
    }
    await storeSight(tx, { ...sight, transactionId, gatewayId, lookedAt: askedAt })
    return sight.coins
  })
}

/** Counts the coins that a webhook names. A smaller sum than before is ignored, as webhooks may be out of order. */
function hear(
  before: TimelyCoins,
  { heard, invoice, reading, at }: { heard: HeleketInvoice; invoice: HeleketInvoice; reading: Reading; at: Date },
): TimelyCoins {
  const look = lookOf(heard, { reading, at })
  const { came, isThere } = look
  if (heard.uuid !== invoice.uuid || !isThere || came === null || isLess(came, before.coins)) return before
  return seenInTime(before, look)
}

function lookOf(invoice: HeleketInvoice, { reading, at }: { reading: Reading; at: Date }): InvoiceReply {
  const { came, due, asset } = reportedCoins(invoice, reading)
  const { status, txid } = invoice
  const { progress, arrived, mayVanish = false } = MEANINGS[status] ?? { progress: 'pending', arrived: 'nothing' }
  // In these states the whole due sum arrived, even if the reply has no sum.
  const isCertain = arrived === 'whole' || arrived === 'more'
  return {
    asset: asset ?? '',
    came: came ?? (isCertain ? due : null),
    due,
    isThere: progress === 'confirming' || (arrived === 'late' ? Boolean(txid) : arrived !== 'nothing'),
    isFirm: !mayVanish,
    txid: txid || null,
    at,
  }
}

/** Reads a webhook, which has the fields of an invoice. A webhook without an amount is ignored. */
function readInvoice(body: Buffer): HeleketInvoice[] {
  const parsed = invoiceSchema.safeParse(JSON.parse(body.toString('utf8')))
  return parsed.success ? [parsed.data] : []
}
