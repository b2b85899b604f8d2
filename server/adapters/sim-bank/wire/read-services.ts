export type StockLine = { country: string; operator: string; service: string; count: number | null }

export function readServices(json: Record<string, unknown>): StockLine[] | null {
  const { countryList } = json
  if (!Array.isArray(countryList)) return null
  const lines: StockLine[] = []
  for (const entry of countryList as unknown[]) {
    if (!isObject(entry) || typeof entry.country !== 'string' || !isObject(entry.operatorMap)) return null
    for (const [operator, services] of withoutTotal(entry.operatorMap)) {
      if (!isObject(services)) return null
      for (const [service, count] of Object.entries(services)) {
        lines.push({ country: entry.country, operator, service, count: isCount(count) ? count : null })
      }
    }
  }
  return lines
}

export const ANY = 'any'

/** Removes the operator `any`, which is the sum of the named operators. */
function withoutTotal(operators: Record<string, unknown>): [string, unknown][] {
  const entries = Object.entries(operators)
  return entries.length > 1 ? entries.filter(([name]) => name !== ANY) : entries
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
