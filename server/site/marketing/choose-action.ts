import type { MarketingAction, MarketingRule } from '#server/config/marketing-rules.ts'

/** What the first rule says that fits a visit's utm values; null for a visit without any, or when no rule fits. */
export function chooseAction(rules: readonly MarketingRule[], utm: Record<string, string>): MarketingAction | null {
  if (Object.keys(utm).length === 0) return null
  const fitting = rules.find((rule) => Object.entries(rule.utm).every(([name, value]) => utm[name] === value))
  return fitting?.action ?? null
}
