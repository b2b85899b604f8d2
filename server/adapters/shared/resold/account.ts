import type { Currency } from '#contract/money.ts'
import type { SupplierRow } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { createFunds, type Funds } from './funds.ts'
import { createLink, type Link } from './link.ts'
import { Names } from './names.ts'
import type { OpenNumber } from './open-number.ts'

export type ResoldAccount = {
  readonly ctx: Context
  readonly supplierId: number
  readonly code: string
  readonly settings: { operator: string; currency: Currency }
  readonly open: Map<string, OpenNumber>
  readonly asking: Set<string>
  /** The references of orders whose reply got lost, with their pair of service and country (`pairOf`). */
  readonly lost: Map<string, string>
  readonly link: Link
  readonly funds: Funds
  names: Names
  wakePoll: () => void
}

export function createResoldAccount<Settings extends ResoldAccount['settings']>(
  ctx: Context,
  row: SupplierRow,
  settings: Settings,
): ResoldAccount & { settings: Settings } {
  return {
    ctx,
    supplierId: row.id,
    code: row.code,
    settings,
    open: new Map(),
    asking: new Set(),
    lost: new Map(),
    link: createLink(ctx, row.id, 'key'),
    funds: createFunds(ctx, row.id),
    names: new Names({ corrected: [], service: new Map(), country: new Map() }),
    wakePoll: () => undefined,
  }
}

export function pairOf({ service, country }: { service: string; country: string }): string {
  return `${service} ${country}`
}

/**
 * Returns true if the reply to an order of this service and country was lost. A new purchase could be mistaken for the
 * number of that order.
 */
export function isPairLost({ lost }: ResoldAccount, pair: { service: string; country: string }): boolean {
  return [...lost.values()].includes(pairOf(pair))
}
