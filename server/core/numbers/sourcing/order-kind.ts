import type { Currency } from '#contract/money.ts'
import type {
  BoughtNumber,
  PurchaseOrder,
  RefusedPurchase,
  Supplier,
  UnknownReference,
} from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { OrphanQuery } from './queries/orphan-values.ts'
import type { UnderWay } from './under-way.ts'

export type OrderRow = {
  id: bigint
  attempt: number
  user_id: number
  service_code: string
  country_id: number
  price_micros: bigint
  currency: Currency
  /** In the currency of its offer. */
  cost_limit_micros: bigint | null
  supplier_id: number
  phone: string | null
  created_at: Date
  expires_at: Date
  /** Of an activation. */
  excluded_prefixes?: readonly string[]
}

export type SourcedOffer = { supplierId: number; operator: string; costMicros: bigint; currency: Currency }

export type SettledNumber = Omit<BoughtNumber, 'outcome'> & {
  id: bigint
  attempt: number
  /** For sharing the number; `sendersKnown`: its messages name the service for certain. */
  family: string
  sendersKnown: boolean
  now: Date
}

export type NextAttempt = {
  id: bigint
  attempt: number
  supplierId: number
  costLimitMicros: bigint
  costCurrency: Currency
  /** The attempt left behind has an unknown outcome: a job gives back what it sold. */
  abandon: boolean
  now: Date
}

export type Seller<Row> = {
  sell(order: PurchaseOrder, row: Row, signal: AbortSignal): Promise<BoughtNumber | RefusedPurchase>
  find(reference: string, signal: AbortSignal): Promise<BoughtNumber | UnknownReference>
}

/**
 * What differs between activations and rentals on the way to a number. Statements answer null when the row has moved
 * on.
 */
export type OrderKind<Row extends OrderRow> = {
  name: 'activation' | 'rental'
  /** In the metrics. */
  call: 'buy' | 'rent'
  sold: 'bought' | 'rented'
  /** The unique index that a number in use violates. */
  usedOnce: string
  underWay(ctx: Context): UnderWay
  /** Our key for the attempt at its supplier. */
  referenceOf(row: Row): string
  /** undefined: the supplier sells no such numbers. */
  sellerOf(supplier: Supplier): Seller<Row> | undefined
  /** Later its buyer has no use for the number. */
  wantedUntil(row: Row): Date
  isSettled(row: Row): boolean
  nextAttempt(db: Db, input: NextAttempt): Promise<Row | null>
  /** `row`: as it was reserved. */
  settle(db: Db, number: SettledNumber, row: Row): Promise<Row | null>
  /** Releases the money. `abandon` as in NextAttempt. */
  fail(db: Db, input: { id: bigint; now: Date; abandon: boolean }): Promise<{ id: bigint } | null>
  findAny(db: Db, id: bigint): Promise<Row | null>
  listOrphans(db: Db, query: OrphanQuery): Promise<Row[]>
  announce(ctx: Context, row: Row): Promise<void>
}
