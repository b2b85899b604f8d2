import type { Offer } from '#server/suppliers/supplier.ts'

/** What one list changed: the pairs, and the offers that are new, different or gone. */
export type Changes<Given extends Offer> = { pairs: string[]; put: Given[]; gone: Given[] }

export class OffersByPair<Given extends Offer> {
  private readonly byPair = new Map<string, Map<number, Given[]>>()
  /** As each supplier told them last: most lists come again in the same order, and need no grouping. */
  private readonly told = new Map<number, Given[]>()
  private readonly isSame: (before: Given, after: Given) => boolean

  /** Compares two offers at the same position of two lists. */
  constructor(isSame: (before: Given, after: Given) => boolean) {
    this.isSame = isSame
  }

  /** Each row of a pair is there once. */
  replace(supplierId: number, offers: Given[]): Changes<Given> {
    const told = this.told.get(supplierId)
    if (told !== undefined && haveSameRows(told, offers)) return this.replaceDifferent(supplierId, told, offers)
    this.told.set(supplierId, [...offers])
    const grouped = Map.groupBy(offers, (offer) => pairKey(offer.serviceCode, offer.countryId))
    const changes: Changes<Given> = { pairs: [], put: [], gone: [] }
    for (const [key, suppliers] of this.byPair) {
      const before = suppliers.get(supplierId)
      if (before === undefined || grouped.has(key)) continue
      suppliers.delete(supplierId)
      changes.pairs.push(key)
      changes.gone.push(...before)
    }
    for (const [key, list] of grouped) {
      const suppliers = this.byPair.get(key) ?? new Map<number, Given[]>()
      const before = suppliers.get(supplierId)
      this.byPair.set(key, suppliers.set(supplierId, list))
      if (this.areSame(before, list)) continue
      changes.pairs.push(key)
      changes.put.push(...list)
      if (before !== undefined)
        changes.gone.push(...before.filter((offer) => !list.some((next) => isOneRow(offer, next))))
    }
    return changes
  }

  private replaceDifferent(supplierId: number, told: Given[], offers: readonly Given[]): Changes<Given> {
    const put = offers.filter((after, position) => {
      const before = told[position]
      if (before === undefined || this.isSame(before, after)) return false
      told[position] = after
      return true
    })
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

  /** By supplier. */
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

type Row = Offer & { hours?: number }

/** Of one supplier and pair, whatever its price. */
function isOneRow(one: Row, other: Row): boolean {
  return one.operator === other.operator && one.hours === other.hours
}

/** Whatever their prices. */
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

/** Compares offers of one pair. */
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

/** In one of the two alone. */
export function differing(before: ReadonlySet<number>, after: ReadonlySet<number>): number[] {
  return [...[...before].filter((id) => !after.has(id)), ...[...after].filter((id) => !before.has(id))]
}
