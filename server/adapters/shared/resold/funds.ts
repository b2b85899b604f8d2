import { MINUTE } from '#contract/time.ts'
import { refreshOffersSoon } from '#server/core/catalog/offers/refresh-offers.ts'
import type { Offer } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'

export type Balance = { micros: bigint; at: Date }

export type Funds = {
  balance(): Balance | null
  read(balance: Balance): void
  refused(costMicros: bigint): void
  /** Returns the offers that the balance covers, as the same list if all are covered. */
  affordable<Listed extends Offer>(offers: Listed[]): Listed[]
}

/** The age up to which a balance hides offers. */
const HOLDS_MS = 10 * MINUTE

/**
 * Tracks our balance at a supplier. Only offers that cost more are hidden, so one refused expensive purchase does not
 * hide cheap offers.
 */
export function createFunds(ctx: Context, supplierId: number): Funds {
  let balance: Balance | null = null
  /** The lowest cost that was refused. Only costs below it are known to be covered. */
  let below: { micros: bigint; at: Date } | null = null
  const isFresh = ({ at }: { at: Date }) => ctx.clock.now().getTime() - at.getTime() < HOLDS_MS
  return {
    balance: () => balance,
    read(now) {
      const had = balance
      balance = now
      // A higher balance may cover a cost that was refused.
      if (below !== null && had !== null && now.micros > had.micros) below = null
      if (had?.micros !== now.micros) refreshOffersSoon(ctx, supplierId)
    },
    refused(micros) {
      if (below !== null && below.micros <= micros && isFresh(below)) return
      below = { micros, at: ctx.clock.now() }
      refreshOffersSoon(ctx, supplierId)
    },
    affordable<Listed extends Offer>(offers: Listed[]): Listed[] {
      const most = balance !== null && isFresh(balance) ? balance.micros : null
      const under = below !== null && isFresh(below) ? below.micros : null
      const isPaid = ({ costMicros }: Offer) =>
        (most === null || costMicros <= most) && (under === null || costMicros < under)
      return offers.every(isPaid) ? offers : offers.filter(isPaid)
    },
  }
}
