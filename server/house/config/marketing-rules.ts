import { z } from 'zod'
import { marketingActionReplySchema } from '#contract/account.ts'

export type MarketingAction = NonNullable<z.output<typeof marketingActionReplySchema>['action']>

export type MarketingRule = { utm: Record<string, string>; action: MarketingAction }

const MAX_RULES = 200

const rulesSchema = z
  .array(
    z
      .object({ action: marketingActionReplySchema.shape.action.unwrap() })
      .catchall(z.string().min(1).max(200))
      .refine((rule) => Object.keys(rule).every((name) => name === 'action' || /^utm_[a-z_]{1,30}$/.test(name)), {
        error: 'a condition is not named utm_…',
      }),
  )
  .max(MAX_RULES)

/**
 * Parses rules such as `[{"utm_source":"tg","action":"show-register-modal"}]`. Throws an Error that names the fault.
 */
export function parseMarketingRules(text: string): MarketingRule[] {
  const parsed = rulesSchema.safeParse(JSON.parse(text))
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error).replaceAll('\n', ' '))
  return parsed.data.map(({ action, ...utm }) => ({ action, utm }))
}
