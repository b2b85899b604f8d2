import type { MarketingAction, MarketingRule } from '#server/house/config/marketing-rules.ts'

export function chooseAction(rules: readonly MarketingRule[], utm: Record<string, string>): MarketingAction | null {
  if (Object.keys(utm).length === 0) return null
  const fitting = rules.find((rule) => Object.entries(rule.utm).every(([name, value]) => utm[name] === value))
  return fitting?.action ?? null
}
