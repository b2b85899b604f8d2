import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'

/** The header of every reply to a key with play money. */
export const SANDBOX_HEADER = 'sandbox'

/** In what is answered to a key with play money, and absent elsewhere. */
export const sandboxMark = z.literal(true).optional()

/** Play money: decimals in the currency of the account. */
export const sandboxRecordSchema = z.object({
  sandbox: z.literal(true),
  balance: z.string(),
  held: z.string(),
  currency: z.enum(CURRENCIES),
})
export type SandboxRecord = z.output<typeof sandboxRecordSchema>
export const sandboxReplySchema = z.object({ status: z.literal(true), data: sandboxRecordSchema })
