import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'
import { DELETION_WAITS } from './account-constants.ts'
import { wholeNumber } from './formats/whole-number.ts'

/** Reasons that delay the deletion of an account. `balance` means that more money is left than the owner gave up. */
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
  /** The last export that is being made or can still be fetched. */
  export: dataExportSchema.nullable(),
  /** From this time on another export may be requested; null means now. */
  next_export_at: z.iso.datetime().nullable(),
  /** A decimal: the money left on the account, including referral earnings. */
  balance: z.string(),
  currency: z.enum(CURRENCIES),
  deletion: z
    .object({
      asked_at: z.iso.datetime(),
      due_at: z.iso.datetime(),
      /** The days left to cancel the deletion; 0 when they are over. */
      days_left: z.number().int(),
      /** A decimal: the most money that the owner gives up with the account. */
      gives_up: z.string(),
      /** The reasons that delay the deletion now; an empty list means that nothing does. */
      waits_for: z.array(z.enum(DELETION_WAITS)),
    })
    .nullable(),
  consents: z.array(z.object({ document: z.string(), version: z.string(), at: z.iso.datetime() })),
})
export type Privacy = z.infer<typeof privacySchema>

export const deletionInputSchema = z.object({ give_up: z.string().max(30).optional() })
export const dataFileInputSchema = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })
export const dataFileSchema = z.custom<AsyncIterable<Uint8Array>>()
