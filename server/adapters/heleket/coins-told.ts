import { atMost, type Exact, isLess, scaled } from '#server/adapters/shared/exact-decimal.ts'
import type { HeleketInvoice } from './api.ts'

/** `paidIn`: the currency of `payment_amount`. `accuracyPercent`: how much less still is paid. */
export type Reading = { paidIn: 'payer' | 'invoice'; accuracyPercent: number }

/** `whole`: what was asked for. `late`: what came although nobody waited, with its transaction. */
export type Arrived = 'nothing' | 'whole' | 'more' | 'less' | 'late' | 'before-refund'

/** What has come and what was due, in one unit. `came` null: it is not told. `asset`: the coin's letters, null where it is not named. */
export type CoinsTold = { came: Exact | null; due: Exact; asset: string | null }

const ASSET_PATTERN = /^[a-z0-9]{2,10}$/
const COIN_PLACES = 18
/** A larger sum than this is rather another unit than another wish: staff look at it. */
const MOST_TIMES = 10n

/** In the payer's coin where that is known, else in the currency of the invoice. */
export function coinsTold(invoice: HeleketInvoice, { paidIn }: Reading): CoinsTold {
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

/** All that has come so far; null: nothing that lasts. Throws when that is not told. */
export function totalOf(arrived: Arrived, { came, due }: CoinsTold, txid: string | null | undefined): Exact | null {
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
