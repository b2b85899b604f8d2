import { z } from 'zod'
import { askVendor, readAnswer, type VendorAnswer } from '#server/adapters/shared/ask-vendor.ts'
import { exactSchema, parseExact, toText } from '#server/adapters/shared/exact-decimal.ts'

const NAME = 'BTCPay'
/** The maximum length of the part of an error reply that is logged, in characters. */
const WORDS_LENGTH = 200
/** The maximum number of invoices of one order. A second one exists only if a reply to a creation was lost. */
const MOST_INVOICES = 10

export type BtcpayStore = { url: string; storeId: string; apiKey: string }

const invoiceSchema = z.object({
  id: z.string().min(1).max(100),
  storeId: z.string().max(100),
  amount: exactSchema,
  currency: z.string().max(20),
  metadata: z.object({ orderId: z.string().max(255).nullish() }).nullish(),
  createdTime: z.number().int(),
  expirationTime: z.number().int(),
  monitoringExpiration: z.number().int(),
  status: z.enum(['New', 'Processing', 'Expired', 'Invalid', 'Settled']),
  additionalStatus: z.string().max(40),
  /** The invoice's own tolerance, in per cent. A value outside 0 to 50 is read as null. */
  checkout: z.object({ paymentTolerance: z.number().int().min(0).max(50).nullish().catch(null) }).nullish(),
})
export type BtcpayInvoice = z.output<typeof invoiceSchema>

/** The amount in place of one that is unreadable or has more digits than any coin. */
export const INVALID_AMOUNT = 'absurd'
const amountSchema = z.string().transform((text) => {
  const exact = parseExact(text)
  return exact === null || parseExact(toText(exact)) === null ? INVALID_AMOUNT : exact
})

const paymentSchema = z.object({
  id: z.string().min(1).max(200),
  receivedDate: z.number().int(),
  value: amountSchema,
  fee: amountSchema.nullish(),
  status: z.enum(['Invalid', 'Processing', 'Settled']),
})
export type BtcpayPayment = z.output<typeof paymentSchema>

const methodSchema = z.object({
  paymentMethodId: z.string().max(60),
  currency: z.string().max(20).nullish(),
  destination: z.string().max(4_000).nullish(),
  paymentLink: z.string().max(4_000).nullish(),
  rate: exactSchema,
  due: exactSchema,
  payments: z.array(paymentSchema).max(1_000),
})
export type BtcpayMethod = z.output<typeof methodSchema>

export type MadeInvoice = { outcome: 'made'; invoice: BtcpayInvoice } | { outcome: 'refused'; words: string }

/** Creates an invoice. Throws when it is unknown whether BTCPay created it, or when the API key is refused. */
export async function makeInvoice(store: BtcpayStore, input: object, signal: AbortSignal): Promise<MadeInvoice> {
  const init = { method: 'POST', body: JSON.stringify(input), signal }
  const { status, body } = await ask(store, '/invoices', init)
  if (status === 400 || status === 422) return { outcome: 'refused', words: wordsOf(status, body) }
  if (status !== 200) throw new Error(`${NAME} answered ${wordsOf(status, body)}`)
  return { outcome: 'made', invoice: readAnswer(NAME, invoiceSchema, body) }
}

/** Lists the invoices of an order, oldest first. Archived invoices are included, because they may still be paid. */
export async function listInvoices(store: BtcpayStore, orderId: string, signal: AbortSignal): Promise<BtcpayInvoice[]> {
  const query = new URLSearchParams({ orderId, includeArchived: 'true', take: String(MOST_INVOICES) })
  const { status, body } = await ask(store, `/invoices?${query}`, { signal })
  if (status !== 200) throw new Error(`${NAME} answered ${wordsOf(status, body)}`)
  const found = readAnswer(NAME, z.array(invoiceSchema).max(MOST_INVOICES), body)
  return found.toSorted((one, other) => one.createdTime - other.createdTime || (one.id < other.id ? -1 : 1))
}

export async function findInvoice(store: BtcpayStore, id: string, signal: AbortSignal): Promise<BtcpayInvoice | null> {
  const { status, body } = await ask(store, `/invoices/${encodeURIComponent(id)}`, { signal })
  if (status === 404) return null
  if (status !== 200) throw new Error(`${NAME} answered ${wordsOf(status, body)}`)
  return readAnswer(NAME, invoiceSchema, body)
}

/** Reads a payment method of an invoice. Invalid payments are included, so that a vanished payment is noticed. */
export async function readMethod(
  store: BtcpayStore,
  { invoiceId, methodId }: { invoiceId: string; methodId: string },
  signal: AbortSignal,
): Promise<BtcpayMethod> {
  const path = `/invoices/${encodeURIComponent(invoiceId)}/payment-methods?onlyAccountedPayments=false`
  const { status, body } = await ask(store, path, { signal })
  if (status !== 200) throw new Error(`${NAME} answered ${wordsOf(status, body)}`)
  const all = readAnswer(NAME, z.array(z.looseObject({ paymentMethodId: z.string() })).max(50), body)
  const found = all.find(({ paymentMethodId }) => paymentMethodId === methodId)
  if (found === undefined) throw new Error(`${NAME} does not take ${methodId} for its invoice`)
  return readAnswer(NAME, methodSchema, found)
}

function ask({ url, storeId, apiKey }: BtcpayStore, path: string, init: RequestInit): Promise<VendorAnswer> {
  const headers = { authorization: `token ${apiKey}`, 'content-type': 'application/json' }
  return askVendor(NAME, `${url}/api/v1/stores/${encodeURIComponent(storeId)}${path}`, { ...init, headers })
}

const problemSchema = z.union([
  z.object({ message: z.string() }).transform(({ message }) => message),
  z
    .array(z.object({ path: z.string(), message: z.string() }))
    .transform((faults) => faults.map(({ path, message }) => `${path}: ${message}`).join('; ')),
])

function wordsOf(status: number, body: unknown): string {
  const problem = problemSchema.safeParse(body)
  return `${status}${problem.success ? `: ${problem.data}` : ''}`.slice(0, WORDS_LENGTH)
}
