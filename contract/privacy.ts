import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'
import { DELETION_WAITS } from './account-constants.ts'
import { wholeNumber } from './formats/whole-number.ts'

/** What keeps an account that is to be deleted. `balance`: more is left than was given up. */
export type DeletionWait = (typeof DELETION_WAITS)[number]

export const dataExportSchema = z.object({
  id: z.number().int(),
  /** `too_large`: staff make the file. `failed`: it may be asked for again. */
  state: z.enum(['waiting', 'ready', 'too_large', 'failed']),
  asked_at: z.iso.datetime(),
  ready_at: z.iso.datetime().nullable(),
  expires_at: z.iso.datetime().nullable(),
  bytes: z.number().int().nullable(),
})
export type DataExport = z.infer<typeof dataExportSchema>

export const privacySchema = z.object({
  /** The last one that can still be fetched, or is on its way. */
  export: dataExportSchema.nullable(),
  /** Another may be asked for from then on; null: now. */
  next_export_at: z.iso.datetime().nullable(),
  /** Decimal: what is left on the account, that of referrals included. */
  balance: z.string(),
  currency: z.enum(CURRENCIES),
  deletion: z
    .object({
      asked_at: z.iso.datetime(),
      due_at: z.iso.datetime(),
      /** Of the days to change one's mind; 0 when they are over. */
      days_left: z.number().int(),
      /** Decimal: the most that may be left. */
      gives_up: z.string(),
      /** As of now; empty: nothing. */
      waits_for: z.array(z.enum(DELETION_WAITS)),
    })
    .nullable(),
  consents: z.array(z.object({ document: z.string(), version: z.string(), at: z.iso.datetime() })),
})
export type Privacy = z.infer<typeof privacySchema>

export const deletionInputSchema = z.object({ give_up: z.string().max(30).optional() })
export const dataFileInputSchema = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })
export const dataFileSchema = z.custom<AsyncIterable<Uint8Array>>()
