import type { Offer } from '#server/suppliers/supplier.ts'

export class OffersByPair<Given extends Offer> {
  private readonly byPair = new Map<string, Map<number, Given[]>>()
  private readonly isSame: (before: Given, after: Given) => boolean

  /** Compares two offers at the same position of two lists. */
  constructor(isSame: (before: Given, after: Given) => boolean) {
    this.isSame = isSame
  }

  /** Returns the pairs that differ from before. */
  replace(supplierId: number, offers: Given[]): string[] {
    const grouped = Map.groupBy(offers, (offer) => pairKey(offer.serviceCode, offer.countryId))
    const changed: string[] = []
    for (const [key, suppliers] of this.byPair) {
      if (suppliers.has(supplierId) && !grouped.has(key)) {
        suppliers.delete(supplierId)
        changed.push(key)
      }
    }
    for (const [key, list] of grouped) {
      const suppliers = this.byPair.get(key) ?? new Map<number, Given[]>()
      if (this.areSame(suppliers.get(supplierId), list)) continue
      this.byPair.set(key, suppliers.set(supplierId, list))
      changed.push(key)
    }
    return changed
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
