import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'
import { DELETION_WAITS } from './account-constants.ts'
import { wholeNumber } from './formats/whole-number.ts'

/**
 * The reasons that delay the deletion of an account. `balance` means that more money is left than the owner gave up.
 */
export type DeletionWait = (typeof DELETION_WAITS)[number]

export const dataExportSchema = z.object({
  id: z.number().int(),
  /** `too_large` means that staff make the file. After `failed` the person may request the export again. */
  state: z.enum(['waiting', 'ready', 'too_large', 'failed']),
  asked_at: z.iso.datetime(),
  ready_at: z.iso.datetime().nullable(),
  expires_at: z.iso.datetime().nullable(),
  bytes: z.number().int().nullable(),
})
export type DataExport = z.infer<typeof dataExportSchema>

export const privacySchema = z.object({
  export: dataExportSchema.nullable(),
  /** The time from which the person may request another export; null means now. */
  next_export_at: z.iso.datetime().nullable(),
  /** The money left on the account, including referral earnings, as a decimal. */
  balance: z.string(),
  currency: z.enum(CURRENCIES),
  deletion: z
    .object({
      asked_at: z.iso.datetime(),
      due_at: z.iso.datetime(),
      /** The number of days left to cancel the deletion; 0 if the owner can no longer cancel. */
      days_left: z.number().int(),
      /** The most money that the owner gives up with the account, as a decimal. */
      gives_up: z.string(),
      waits_for: z.array(z.enum(DELETION_WAITS)),
    })
    .nullable(),
  consents: z.array(z.object({ document: z.string(), version: z.string(), at: z.iso.datetime() })),
})
export type Privacy = z.infer<typeof privacySchema>

export const deletionInputSchema = z.object({ give_up: z.string().max(30).optional() })
export const dataFileInputSchema = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })
export const dataFileSchema = z.custom<AsyncIterable<Uint8Array>>()
