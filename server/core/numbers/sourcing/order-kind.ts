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
  state: string
  attempt: number
  user_id: number
  service_code: string
  country_id: number
  price_micros: bigint
  currency: Currency
  /** The highest cost that the supplier may charge, in the currency of the offer. */
  cost_limit_micros: bigint | null
  supplier_id: number
  phone: string | null
  created_at: Date
  expires_at: Date
  /** Only activations have excluded prefixes. */
  excluded_prefixes?: readonly string[]
}

export type SourcedOffer = { supplierId: number; operator: string; costMicros: bigint; currency: Currency }

export type SettledNumber = Omit<BoughtNumber, 'outcome'> & {
  id: bigint
  attempt: number
  /** The sale rule needs `family` and `sendersKnown`, which means that the service's messages always name it. */
  family: string
  sendersKnown: boolean
  nodeId: bigint
  now: Date
}

export type NextAttempt = {
  id: bigint
  attempt: number
  supplierId: number
  costLimitMicros: bigint
  costCurrency: Currency
  /** True if the failed attempt has an unknown outcome. A job then gives back any number that the attempt bought. */
  abandon: boolean
  nodeId: bigint
  now: Date
}

/** An order that fails, so that its money is released. `abandon` has the same meaning as in NextAttempt. */
export type FailedOrder = { id: bigint; nodeId: bigint; now: Date; abandon: boolean }

export type Seller<Row> = {
  sell(order: PurchaseOrder, row: Row, signal: AbortSignal): Promise<BoughtNumber | RefusedPurchase>
  find(reference: string, signal: AbortSignal): Promise<BoughtNumber | UnknownReference>
}

/**
 * The differences between activations and rentals when buying. Each statement returns null if the order was moved or
 * settled by somebody else, or belongs to a node other than `nodeId`.
 */
export type OrderKind<Row extends OrderRow> = {
  name: 'activation' | 'rental'
  call: 'buy' | 'rent'
  sold: 'bought' | 'rented'
  /** The unique index that is violated if the number is already in use. */
  usedOnce: string
  underWay(ctx: Context): UnderWay
  referenceOf(row: Row): string
  /** Returns undefined if the supplier sells no numbers of this kind. */
  sellerOf(supplier: Supplier): Seller<Row> | undefined
  wantedUntil(row: Row): Date
  isSettled(row: Row): boolean
  nextAttempt(db: Db, input: NextAttempt): Promise<Row | null>
  settle(db: Db, number: SettledNumber, row: Row): Promise<Row | null>
  fail(db: Db, input: FailedOrder): Promise<{ id: bigint } | null>
  findAny(db: Db, id: bigint): Promise<Row | null>
  /** Takes over the reservations of nodes that have ended. */
  takeOver(db: Db, nodeId: bigint): Promise<void>
  listOrphans(db: Db, query: OrphanQuery): Promise<Row[]>
  announce(ctx: Context, row: Row): Promise<void>
}
