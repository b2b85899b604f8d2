import { MINUTE } from '#contract/time.ts'
import { refreshOffersSoon } from '#server/core/catalog/offers/refresh-offers.ts'
import type { Offer } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'

export type Balance = { micros: bigint; at: Date }

/** What we can pay at the other. */
export type Funds = {
  balance(): Balance | null
  read(balance: Balance): void
  /** The other had no money of ours for this cost. */
  refused(costMicros: bigint): void
  /** The very list, when it can pay all of it. */
  affordable<Listed extends Offer>(offers: Listed[]): Listed[]
}

/** An older balance hides nothing. */
const HOLDS_MS = 10 * MINUTE

/** Offers that the balance cannot pay are not shown, so one dear wish does not close the cheap ones. */
export function createFunds(ctx: Context, supplierId: number): Funds {
  let balance: Balance | null = null
  /** Only smaller costs are known to be paid. */
  let below: { micros: bigint; at: Date } | null = null
  const isFresh = ({ at }: { at: Date }) => ctx.clock.now().getTime() - at.getTime() < HOLDS_MS
  return {
    balance: () => balance,
    read(now) {
      const had = balance
      balance = now
      // More money than before may pay what was refused.
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
