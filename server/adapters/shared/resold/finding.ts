import type { SupplierFinding } from '#server/core/suppliers/supplier.ts'
import type { PricedPair } from './catalogue.ts'
import type { Names } from './names.ts'

export async function finding(what: string, work: () => Promise<string>): Promise<SupplierFinding> {
  try {
    return { what, works: true, says: await work() }
  } catch (error) {
    return { what, works: false, says: error instanceof Error ? error.message : String(error) }
  }
}

export function tellSold(names: Names, { pairs, broken }: { pairs: readonly PricedPair[]; broken: number }): string {
  const known = pairs.filter(
    ({ service, country }) => names.ours('service', service) != null && names.ours('country', country) != null,
  )
  const rest = pairs.length - known.length
  return `${known.length} pairs to sell, ${rest} under codes that are unknown or left out, ${broken} unreadable`
}
