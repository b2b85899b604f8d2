import { z } from 'zod'
import { askVendor, readAnswer } from '#server/adapters/shared/ask-vendor.ts'
import { exactSchema } from '#server/adapters/shared/exact-decimal.ts'
import { signOf } from './sign.ts'

const NAME = 'Heleket'
/** The maximum length of the part of an error reply that is logged, in characters. */
const WORDS_LENGTH = 200
/** Replies with these statuses tell the result of a request. Any other status leaves the outcome unknown. */
const SPOKEN: readonly number[] = [200, 400, 404, 422]

export type HeleketAccount = { apiUrl: string; merchant: string; key: string }

const maybe = z.unknown().optional()
const answerSchema = z.object({ state: z.number(), result: maybe, message: maybe, errors: maybe })

/** An amount, which is null or an empty text if unknown. */
const amountSchema = z.union([exactSchema, z.literal('').transform(() => null)]).nullish()

export const invoiceSchema = z
  .object({
    uuid: z.string().min(1).max(64),
    order_id: z.string().max(128),
    amount: exactSchema,
    currency: z.string().max(20),
    payment_amount: amountSchema,
    /** The sum due, in `payer_currency`. */
    payer_amount: amountSchema,
    payer_currency: z.string().max(20).nullish(),
    address: z.string().max(255).nullish(),
    url: z.string().max(2_000).nullish(),
    from: z.string().max(255).nullish(),
    txid: z.string().max(255).nullish(),
    expired_at: z.number().int().nullish(),
    payment_status: z.string().max(40).nullish(),
    status: z.string().max(40).nullish(),
  })
  .transform((invoice) => ({ ...invoice, status: invoice.payment_status ?? invoice.status ?? '' }))
export type HeleketInvoice = z.output<typeof invoiceSchema>

export type HeleketAnswer =
  | { outcome: 'invoice'; invoice: HeleketInvoice }
  | { outcome: 'refused'; status: number; fields: string[]; words: string }

/** Sends a request to Heleket. Throws when the outcome is unknown, or when the API key is wrong. */
export async function askHeleket(
  { apiUrl, merchant, key }: HeleketAccount,
  { path, input }: { path: '/v1/payment' | '/v1/payment/info'; input: object },
  signal: AbortSignal,
): Promise<HeleketAnswer> {
  const body = JSON.stringify(input)
  const headers = { merchant, sign: signOf(Buffer.from(body), key), 'content-type': 'application/json' }
  const { status, body: answered } = await askVendor(NAME, apiUrl + path, { method: 'POST', headers, body, signal })
  if (!SPOKEN.includes(status)) throw new Error(`${NAME} answered ${status}`)
  const { state, result, message, errors } = readAnswer(NAME, answerSchema, answered)
  if (status === 200 && state === 0) {
    return { outcome: 'invoice', invoice: readAnswer(NAME, invoiceSchema, result) }
  }
  const fields = typeof errors === 'object' && errors !== null ? Object.keys(errors) : []
  const said = [typeof message === 'string' ? message : '', ...fields].filter((word) => word !== '').join(', ')
  return { outcome: 'refused', status, fields, words: `${status}: ${said}`.slice(0, WORDS_LENGTH) }
}
