import { z } from 'zod'
import { parseDecimal } from '#contract/money.ts'
import { faultsOf } from '#server/adapters/shared/settings-faults.ts'
import { faultsOfUrl, partner } from '#server/adapters/sim-bank/settings.ts'

const amount = z.string().transform((text, context) => {
  const micros = parseDecimal(text)
  if (micros !== null && micros > 0n) return micros
  context.addIssue({ code: 'custom', message: 'must be an amount such as "9.50"' })
  return z.NEVER
})

const agentSettings = z.strictObject({
  ...partner,
  /** The sums that the platform pays for a code. Only numbers that cost no more are counted and sold. */
  services: z
    .array(
      z.strictObject({
        code: z.string().min(1).max(32),
        sum: amount,
        sumByCountry: z.record(z.string().regex(/^\d+$/, 'must be a country id'), amount).default({}),
        theirs: z.string().min(1).max(32).optional(),
      }),
    )
    .min(1)
    .max(2_000)
    .refine(
      (list) => new Set(list.map(({ code, theirs = code }) => theirs)).size === list.length,
      'names a code twice',
    ),
  /** The seconds after which a bought number is given back, because the platform waits only 3 seconds. */
  answerSeconds: z.number().min(0.1).max(10).default(2.7),
})

export type AgentSettings = z.output<typeof agentSettings>

/** Reads the settings. Throws one error that names every bad field and never shows a secret. */
export function parseAgentSettings(code: string, settings: unknown): AgentSettings {
  const parsed = agentSettings.safeParse(settings)
  const faults = parsed.success ? faultsOfUrl('url', parsed.data) : faultsOf(parsed.error)
  if (parsed.success && faults.length === 0) return parsed.data
  throw new Error(`The settings of the outlet "${code}" are wrong: ${faults.join('; ')}`)
}
