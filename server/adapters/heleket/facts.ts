import { wholeCents } from '#contract/formats/payment-terms.ts'
import { nameReversal } from '#server/adapters/shared/coins/name-reversal.ts'
import { type CoinDeposit, type KnownReversal, listCredited } from '#server/adapters/shared/coins/queries.ts'
import { type CoinSource, isWaiting, type RestFate, sumOf } from '#server/adapters/shared/coins/value-coins.ts'
import { atMost, type Exact, isLess, toMicros } from '#server/adapters/shared/exact-decimal.ts'
import type { KnownPayment, PaymentFacts, SeenReversal } from '#server/core/gateways/gateway.ts'
import type { HeleketInvoice } from './api.ts'
import { findInTime } from './find-in-time.ts'
import { meaningOf, type Refund } from './meanings.ts'
import { listStandingRefunds } from './queries.ts'
import { type Arrived, type Reading, type ReportedCoins, reportedCoins, totalOf } from './reported-coins.ts'
import { valueTotal } from './value-total.ts'

/** `reversals` are the refunds that our books had at `askedAt`, before Heleket was asked. */
type Asked = {
  invoice: HeleketInvoice
  payment: KnownPayment
  reading: Reading
  reversals: readonly KnownReversal[]
  askedAt: Date
}

/** Reads a payment's state and values its coins for good. Throws if the invoice is impossible or of another payment. */
export async function readFacts(
  source: CoinSource,
  { invoice, payment, reading, reversals, askedAt }: Asked,
): Promise<PaymentFacts> {
  requireSame(invoice, payment)
  const { progress, refund, arrived } = meaningOf(invoice)
  const told = reportedCoins(invoice, reading)
  const total = totalOf(arrived, told, invoice.txid)
  const nothing: PaymentFacts = { progress, deposits: [], reversals: [] }
  const inTime = await findInTime(source, { invoice, payment, reading, askedAt })
  if (total === null) return nothing
  const { uuid, from } = invoice
  const bookedMicros = await sumCredited(source, { uuid, payment })
  const fateOf = await fateOfRests(source, { payment, refund })
  const hasRefundFailed = refund === 'failed'
  const sum = { uuid, told, total, inTime, bookedMicros, fateOf, hasRefundFailed }
  const deposits = await valueTotal(source, payment, sum)
  const isWhole = isPaid(arrived, { told, total, reading }) && isInTime(deposits, { total, due: told.due })
  const worth = sumOfWorth(deposits)
  const amountMicros = isWhole && worth < payment.amountMicros ? payment.amountMicros : worth
  const now = deposits.some(isWaiting) ? 'confirming' : progress
  if (amountMicros === 0n) return { ...nothing, progress: now }
  const whole = wholeCents(amountMicros)
  // Heleket returns no amount for a refund, so the whole sum counts as refunded.
  const back = bookedMicros > whole ? bookedMicros : whole
  return {
    progress: now,
    deposits: [{ providerId: uuid, amountMicros, isTotal: true, ...(from && { payer: from }) }],
    reversals: refund === undefined || back === 0n ? [] : [refundOf(uuid, { micros: back, told: refund, reversals })],
  }
}

/** Returns the refund that Heleket reports. A new attempt after a failed refund is a new refund. */
function refundOf(
  uuid: string,
  { micros, told, reversals }: { micros: bigint; told: NonNullable<Refund>; reversals: Asked['reversals'] },
): SeenReversal {
  const state = told === 'failed' ? 'failed' : 'done'
  const providerId = nameReversal(uuid, { known: reversals, isTaken: state === 'done' })
  return { kind: 'refund', providerId, amountMicros: micros, state, isTotal: true }
}

export function requireSame(invoice: HeleketInvoice, payment: Omit<KnownPayment, 'userId' | 'createdAt'>): void {
  const isSame =
    invoice.order_id === payment.transactionId &&
    invoice.currency.toLowerCase() === payment.currency &&
    toMicros(invoice.amount) === payment.amountMicros &&
    (payment.providerId === null || payment.providerId === invoice.uuid)
  if (!isSame) throw new Error(`Heleket answered about another invoice: ${invoice.uuid} of ${invoice.order_id}`)
}

/** Returns true if Heleket counts the invoice as paid. If a refund exists, the sum received before it decides. */
function isPaid(
  arrived: Arrived,
  { told: { due }, total, reading }: { told: ReportedCoins; total: Exact; reading: Reading },
): boolean {
  if (arrived !== 'before-refund') return arrived === 'whole' || arrived === 'more'
  const least = { units: due.units * BigInt(100 - reading.accuracyPercent), places: due.places + 2 }
  return !isLess(total, least)
}

/** Returns true if the invoice's rate covers all received coins, or as many as were due. */
function isInTime(deposits: readonly CoinDeposit[], { total, due }: { total: Exact; due: Exact }): boolean {
  return !isLess(sumOf(deposits, 'quoted_coins'), atMost(total, due))
}

async function sumCredited(
  { ctx, gatewayId }: CoinSource,
  { uuid, payment: { transactionId } }: { uuid: string; payment: KnownPayment },
): Promise<bigint> {
  const credited = await listCredited(ctx.db, { gatewayId, transactionId })
  const own = credited.filter(({ provider_id: id }) => id.startsWith(`${uuid}:`))
  return own.reduce((sum, { amount_micros: micros }) => sum + micros, 0n)
}

function sumOfWorth(deposits: readonly CoinDeposit[]): bigint {
  return deposits.reduce((sum, { quoted_micros: quoted, rest_micros: rest }) => sum + quoted + (rest ?? 0n), 0n)
}

/**
 * Decides about coins that wait for a rate while a refund exists. A full refund holds the coins until Heleket tells its
 * result. A successful one drops them, so that refunded money is never credited. A refund recorded by staff holds the
 * coins seen before it. Partial refunds hold no coins.
 */
async function fateOfRests(
  { ctx }: CoinSource,
  { payment: { transactionId }, refund }: { payment: KnownPayment; refund: Refund },
): Promise<(deposit: CoinDeposit) => RestFate> {
  const refunds = await listStandingRefunds(ctx.db, transactionId)
  const whole = refunds.filter(({ is_part: isPart }) => !isPart)
  const isOfParts = refunds.length > 0 && whole.length === 0
  if (!isOfParts && refund === 'done') return () => 'dropped'
  if (!isOfParts && refund === 'under-way') return () => 'held'
  return ({ seen_at: seenAt }) => (whole.some(({ at }) => at >= seenAt) ? 'held' : 'valued')
}
