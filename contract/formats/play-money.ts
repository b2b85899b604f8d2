import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'

export const SANDBOX_HEADER = 'sandbox'

/** The field `sandbox: true` marks records of a sandbox account, and is absent from real records. */
export const sandboxMark = z.literal(true).optional()

/** The play-money amounts are decimals in the currency of the account. */
export const sandboxRecordSchema = z.object({
  sandbox: z.literal(true),
  balance: z.string(),
  held: z.string(),
  currency: z.enum(CURRENCIES),
})
export type SandboxRecord = z.output<typeof sandboxRecordSchema>
export const sandboxReplySchema = z.object({ status: z.literal(true), data: sandboxRecordSchema })
