import type { PriceRuleRow } from './rule-queries.ts'
import type { PriceRule, Promotion } from './sell-price.ts'

type FixedRule = PriceRule & { kind: 'fixed'; promotion: Promotion }

const DEFAULT_MARGIN: PriceRule & { kind: 'margin' } = { kind: 'margin', percent: 30 }

export class PriceRules {
  private readonly rules: ReadonlyMap<string, PriceRule>

  /** The last rule of a scope in `rows` applies. A promotion whose budget is used up does not apply. */
  constructor(rows: readonly PriceRuleRow[] = [], full: ReadonlySet<number> = new Set()) {
    const holding = rows.filter(({ promotion_id: id }) => id === null || !full.has(id))
    this.rules = new Map(holding.map((row) => [keyOf(row.service_code, row.country_id), toRule(row)]))
  }

  /** Returns the most specific rule: for service and country, the service, the country, everything, or the default. */
  find(serviceCode: string, countryId: number): PriceRule {
    for (const rule of this.inOrder(serviceCode, countryId)) return rule
    return DEFAULT_MARGIN
  }

  findPromotion(serviceCode: string, countryId: number): FixedRule | undefined {
    const rule = this.rules.get(keyOf(serviceCode, countryId))
    if (rule?.kind !== 'fixed' || rule.promotion === undefined) return undefined
    return { ...rule, promotion: rule.promotion }
  }

  /** Returns the margin rule for a rental, because fixed prices apply to activations only. */
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
    const rule = { kind: 'fixed', priceMicros: row.price_micros, currency: row.currency } as const
    const { promotion_id: id, sale_limit_micros: saleLimitMicros } = row
    return id === null || saleLimitMicros === null ? rule : { ...rule, promotion: { id, saleLimitMicros } }
  }
  return { kind: 'margin', percent: row.margin_percent ?? 0 }
}

function keyOf(serviceCode: string | null, countryId: number | null): string {
  return `${serviceCode ?? ''}|${countryId ?? ''}`
}
