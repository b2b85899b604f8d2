import type { Offer } from '#server/core/suppliers/supplier.ts'
import { runWithoutYielding, type Yielding } from '#server/house/jobs/run-yielding.ts'

/** The changes made by one list: pairs of service and country, new or different offers, and removed offers. */
export type Changes<Given extends Offer> = { pairs: string[]; put: Given[]; gone: Given[] }

const LOOKED_AT_ONCE = 10_000
const CHANGED_AT_ONCE = 1_000

export class OffersByPair<Given extends Offer> {
  private readonly byPair = new Map<string, Map<number, Given[]>>()
  /** The last list of each supplier. Most lists arrive again in the same order and need no grouping. */
  private readonly told = new Map<number, Given[]>()
  /**
   * The operators in each supplier's last list that was not empty. A sold-out or hidden supplier still has operators.
   */
  private readonly operators = new Map<number, Map<number, Set<string>>>()
  /** The token of the list being processed, to detect that a later list of the supplier has replaced it. */
  private readonly taking = new Map<number, symbol>()
  private readonly isSame: (before: Given, after: Given) => boolean

  constructor(isSame: (before: Given, after: Given) => boolean) {
    this.isSame = isSame
  }

  /** Replaces a supplier's offers and returns what changed. Each offer of a pair must occur once in the list. */
  replace(supplierId: number, offers: readonly Given[]): Changes<Given> {
    return runWithoutYielding(this.replaceInPieces(supplierId, offers)) ?? noChanges()
  }

  /** Yields the pairs that each piece of a list has changed; null if a newer list of the supplier has replaced it. */
  *replaceInPieces(supplierId: number, offers: readonly Given[]): Yielding<Changes<Given> | null, string[]> {
    const taking = Symbol('list')
    this.taking.set(supplierId, taking)
    const told = this.told.get(supplierId)
    // While this list is being processed, the index holds parts of two lists. So no new list may be compared with the
    // old list.
    this.told.delete(supplierId)
    const isLike = told !== undefined && haveSameRows(told, offers)
    const changes = noChanges<Given>()
    const pieces = isLike ? this.takeDifferent(supplierId, told, offers) : this.takeAll(supplierId, offers)
    for (const { pairs, put, gone } of pieces) {
      changes.pairs.push(...pairs)
      changes.put.push(...put)
      changes.gone.push(...gone)
      yield pairs
      if (this.taking.get(supplierId) !== taking) return null
    }
    this.told.set(supplierId, [...offers])
    return changes
  }

  private *takeAll(supplierId: number, offers: readonly Given[]): Generator<Changes<Given>> {
    const grouped = new Map<string, Given[]>()
    const operators = new Map<number, Set<string>>()
    if (offers.length > 0) this.operators.set(supplierId, operators)
    for (const [place, offer] of offers.entries()) {
      operators.set(offer.countryId, (operators.get(offer.countryId) ?? new Set()).add(offer.operator))
      const key = pairKey(offer.serviceCode, offer.countryId)
      const list = grouped.get(key)
      if (list === undefined) grouped.set(key, [offer])
      else list.push(offer)
      if (place % LOOKED_AT_ONCE === LOOKED_AT_ONCE - 1) yield noChanges()
    }
    let changes = noChanges<Given>()
    let left = LOOKED_AT_ONCE
    for (const [key, suppliers] of this.byPair) {
      const before = suppliers.get(supplierId)
      if (before !== undefined && !grouped.has(key)) {
        suppliers.delete(supplierId)
        changes.pairs.push(key)
        changes.gone.push(...before)
      }
      left -= 1
      if (left > 0 && changes.gone.length < CHANGED_AT_ONCE) continue
      left = LOOKED_AT_ONCE
      yield changes
      changes = noChanges()
    }
    yield changes
    yield* this.takeGrouped(supplierId, grouped)
  }

  private *takeGrouped(supplierId: number, grouped: ReadonlyMap<string, Given[]>): Generator<Changes<Given>> {
    let changes = noChanges<Given>()
    let left = CHANGED_AT_ONCE
    for (const [key, list] of grouped) {
      const suppliers = this.byPair.get(key) ?? new Map<number, Given[]>()
      const before = suppliers.get(supplierId)
      this.byPair.set(key, suppliers.set(supplierId, list))
      left -= list.length
      if (!this.areSame(before, list)) {
        changes.pairs.push(key)
        changes.put.push(...list)
        const gone = before?.filter((offer) => !list.some((next) => isOneRow(offer, next)))
        changes.gone.push(...(gone ?? []))
      }
      if (left > 0) continue
      left = CHANGED_AT_ONCE
      yield changes
      changes = noChanges()
    }
    yield changes
  }

  private *takeDifferent(
    supplierId: number,
    told: readonly Given[],
    offers: readonly Given[],
  ): Generator<Changes<Given>> {
    let put: Given[] = []
    let left = LOOKED_AT_ONCE
    for (const [position, after] of offers.entries()) {
      const before = told[position]
      if (before !== undefined && !this.isSame(before, after)) put.push(after)
      left -= 1
      if (left > 0 && put.length < CHANGED_AT_ONCE) continue
      yield this.put(supplierId, put)
      left = LOOKED_AT_ONCE
      put = []
    }
    yield this.put(supplierId, put)
  }

  private put(supplierId: number, put: Given[]): Changes<Given> {
    const grouped = Map.groupBy(put, (offer) => pairKey(offer.serviceCode, offer.countryId))
    for (const [key, different] of grouped) {
      const suppliers = this.byPair.get(key)
      const rows = suppliers?.get(supplierId) ?? []
      suppliers?.set(
        supplierId,
        rows.map((row) => different.find((next) => isOneRow(row, next)) ?? row),
      )
    }
    return { pairs: [...grouped.keys()], put, gone: [] }
  }

  pairs(): Iterable<string> {
    return this.byPair.keys()
  }

  pairsOf(supplierIds: readonly number[]): string[] {
    return [...this.byPair].flatMap(([key, suppliers]) => (supplierIds.some((id) => suppliers.has(id)) ? [key] : []))
  }

  hasOperator(supplierIds: Iterable<number>, countryId: number, isIt: (operator: string) => boolean): boolean {
    for (const id of supplierIds) {
      for (const operator of this.operators.get(id)?.get(countryId) ?? []) if (isIt(operator)) return true
    }
    return false
  }

  /** Lists the countries of a supplier's last list that was not empty. */
  countriesOf(supplierId: number): Iterable<number> {
    return this.operators.get(supplierId)?.keys() ?? []
  }

  of(key: string): ReadonlyMap<number, Given[]> {
    return this.byPair.get(key) ?? new Map()
  }

  private areSame(before: Given[] | undefined, after: Given[]): boolean {
    if (before === undefined || before.length !== after.length) return false
    return before.every((offer, position) => {
      const other = after[position]
      return other !== undefined && this.isSame(offer, other)
    })
  }
}

function noChanges<Given extends Offer>(): Changes<Given> {
  return { pairs: [], put: [], gone: [] }
}

type Row = Offer & { hours?: number }

function isOneRow(one: Row, other: Row): boolean {
  return one.operator === other.operator && one.hours === other.hours
}

function haveSameRows(before: readonly Row[], after: readonly Row[]): boolean {
  return (
    before.length === after.length &&
    before.every((row, position) => {
      const other = after[position]
      return (
        other !== undefined &&
        row.serviceCode === other.serviceCode &&
        row.countryId === other.countryId &&
        isOneRow(row, other)
      )
    })
  )
}

export function isSameOffer(before: Offer, after: Offer): boolean {
  return (
    before.operator === after.operator &&
    before.costMicros === after.costMicros &&
    before.currency === after.currency &&
    before.stock === after.stock
  )
}

export function pairKey(serviceCode: string, countryId: number): string {
  return `${serviceCode}|${countryId}`
}

export function splitPairKey(key: string): { serviceCode: string; countryId: number } {
  const [serviceCode = '', countryText] = key.split('|')
  return { serviceCode, countryId: Number(countryText) }
}

export function nested<Outer, Inner, Value>(map: Map<Outer, Map<Inner, Value>>, key: Outer): Map<Inner, Value> {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = new Map<Inner, Value>()
  map.set(key, made)
  return made
}

export function differing(before: ReadonlySet<number>, after: ReadonlySet<number>): number[] {
  return [...[...before].filter((id) => !after.has(id)), ...[...after].filter((id) => !before.has(id))]
}
