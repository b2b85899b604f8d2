import type { Currency } from '#contract/money.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/db/pool.ts'
import type {
  BoughtNumber,
  PurchaseOrder,
  RefusedPurchase,
  Supplier,
  UnknownReference,
} from '#server/suppliers/supplier.ts'
import type { OrphanQuery } from './queries/orphan-values.ts'
import type { UnderWay } from './under-way.ts'

/** The columns that an activation and a rental have in common while a number is sought for them. */
export type OrderRow = {
  id: bigint
  attempt: number
  user_id: number
  service_code: string
  country_id: number
  price_micros: bigint
  currency: Currency
  /** The most this attempt may cost us, in the currency of its offer. */
  cost_limit_micros: bigint | null
  supplier_id: number
  phone: string | null
  created_at: Date
  expires_at: Date
  /** Of an activation. */
  excluded_prefixes?: readonly string[]
}

/** An offer that an attempt is made for. */
export type SourcedOffer = { supplierId: number; operator: string; costMicros: bigint; currency: Currency }

/** A number as it is stored with the attempt that was made for it. */
export type SettledNumber = Omit<BoughtNumber, 'outcome'> & {
  id: bigint
  attempt: number
  /** What the service counts as for sharing the number, and whether its messages name it for certain. */
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
  /** The attempt left behind has an unknown outcome: a job finds out what it sold and gives it back. */
  abandon: boolean
  now: Date
}

/** How one supplier sells numbers of a kind. */
export type Seller<Row> = {
  sell(order: PurchaseOrder, row: Row, signal: AbortSignal): Promise<BoughtNumber | RefusedPurchase>
  find(reference: string, signal: AbortSignal): Promise<BoughtNumber | UnknownReference>
}

/** What activations and rentals do differently between hold and number. Statements answer null when the row has moved on. */
export type OrderKind<Row extends OrderRow> = {
  name: 'activation' | 'rental'
  /** The supplier's call, in the metrics. */
  call: 'buy' | 'rent'
  /** The unique index that a number in use violates. */
  usedOnce: string
  underWay(ctx: Context): UnderWay
  /** Our key for the current attempt, as the supplier is told it. */
  referenceOf(row: Row): string
  /** undefined: the supplier sells no such numbers (any more). */
  sellerOf(supplier: Supplier): Seller<Row> | undefined
  /** Later its buyer has no use for the number. */
  wantedUntil(row: Row): Date
  isSettled(row: Row): boolean
  nextAttempt(db: Db, input: NextAttempt): Promise<Row | null>
  settle(db: Db, number: SettledNumber): Promise<Row | null>
  /** Releases the money. `abandon` as in NextAttempt. */
  fail(db: Db, input: { id: bigint; now: Date; abandon: boolean }): Promise<{ id: bigint } | null>
  findAny(db: Db, id: bigint): Promise<Row | null>
  listOrphans(db: Db, query: OrphanQuery): Promise<Row[]>
  announce(ctx: Context, row: Row): Promise<void>
}
