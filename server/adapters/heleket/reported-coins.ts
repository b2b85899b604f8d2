import { atMost, type Exact, isLess, scaled } from '#server/adapters/shared/exact-decimal.ts'
import type { HeleketInvoice } from './api.ts'

/** `paidIn` tells the currency of `payment_amount`. `accuracyPercent` is the shortage that still counts as paid. */
export type Reading = { paidIn: 'payer' | 'invoice'; accuracyPercent: number }

/**
 * The coins that arrived, compared with the due sum (`whole`). `late` coins came after the end of the invoice, and are
 * counted only with a transaction.
 */
export type Arrived = 'nothing' | 'whole' | 'more' | 'less' | 'late' | 'before-refund'

/** The received and the due sum in one unit. `came` is null without a sum, `asset` if the reply names no coin. */
export type ReportedCoins = { came: Exact | null; due: Exact; asset: string | null }

const ASSET_PATTERN = /^[a-z0-9]{2,10}$/
const COIN_PLACES = 18
/** A sum above this multiple of the due sum is more likely a wrong unit, so staff must check it. */
const MOST_TIMES = 10n

/** Returns the received and due sums in the payer's coin, if Heleket tells it, or else in the invoice's currency. */
export function reportedCoins(invoice: HeleketInvoice, { paidIn }: Reading): ReportedCoins {
  const { payment_amount: paid, payer_amount: due, payer_currency: coin, amount, currency } = invoice
  const came = paid == null || paid.units <= 0n ? null : paid
  const asset = coin?.toLowerCase() ?? ''
  const isOneCurrency = asset === currency.toLowerCase()
  if (isOneCurrency) return { came, due: amount, asset }
  if (due == null || due.units <= 0n || !ASSET_PATTERN.test(asset)) {
    return { came: paidIn === 'invoice' ? came : null, due: amount, asset: null }
  }
  const inCoin = came !== null && paidIn === 'invoice' ? scaled(came, { part: due, whole: amount }, COIN_PLACES) : came
  return { came: inCoin, due, asset }
}

/** Returns the sum of all coins so far, or null if none are final. Throws if the sum is missing or impossible. */
export function totalOf(arrived: Arrived, { came, due }: ReportedCoins, txid: string | null | undefined): Exact | null {
  const most = { ...due, units: due.units * MOST_TIMES }
  if (came !== null && isLess(most, came)) {
    throw new Error('Heleket says far more has come than was asked for: payment:settle by hand, if that is so')
  }
  switch (arrived) {
    case 'nothing':
      return null
    case 'whole':
      return came === null ? due : atMost(came, due)
    case 'more':
      return came ?? due
    case 'less':
      if (came === null || !isLess(came, due)) throw new Error('Heleket says less has come, and not how much')
      return came
    case 'late':
      return txid ? came : null
    case 'before-refund':
      if (came === null) throw new Error('Heleket says of a refund not how much had come')
      return came
    default:
      return arrived satisfies never
  }
}
