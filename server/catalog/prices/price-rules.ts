import type { PriceRuleRow } from './rule-queries.ts'
import type { PriceRule } from './sell-price.ts'

const DEFAULT_MARGIN: PriceRule & { kind: 'margin' } = { kind: 'margin', percent: 30 }

export class PriceRules {
  private readonly rules: ReadonlyMap<string, PriceRule>

  constructor(rows: readonly PriceRuleRow[] = []) {
    this.rules = new Map(rows.map((row) => [keyOf(row.service_code, row.country_id), toRule(row)]))
  }

  /** The most specific rule wins: service and country, service, country, neither, default. */
  find(serviceCode: string, countryId: number): PriceRule {
    for (const rule of this.inOrder(serviceCode, countryId)) return rule
    return DEFAULT_MARGIN
  }

  /** Skips fixed prices, which are those of an activation. */
  findMargin(serviceCode: string, countryId: number): PriceRule {
    for (const rule of this.inOrder(serviceCode, countryId)) if (rule.kind === 'margin') return rule
    return DEFAULT_MARGIN
  }

  private *inOrder(serviceCode: string, countryId: number): Generator<PriceRule> {
    const keys = [keyOf(serviceCode, countryId), keyOf(serviceCode, null), keyOf(null, countryId), keyOf(null, null)]
    for (const key of keys) {
      const rule = this.rules.get(key)
      if (rule !== undefined) yield rule
    }
  }
}

function toRule(row: PriceRuleRow): PriceRule {
  if (row.price_micros !== null && row.currency !== null) {
    return { kind: 'fixed', priceMicros: row.price_micros, currency: row.currency }
  }
  return { kind: 'margin', percent: row.margin_percent ?? 0 }
}

function keyOf(serviceCode: string | null, countryId: number | null): string {
  return `${serviceCode ?? ''}|${countryId ?? ''}`
}
