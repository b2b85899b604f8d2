import { z } from 'zod'
import type { Money } from './objects.ts'
import type { ReceiptSettings } from './shop-settings.ts'

const receiptSchema = z.looseObject({ items: z.array(z.looseObject({})).length(1) })
export type Receipt = z.output<typeof receiptSchema>

/**
 * Makes a receipt with one item, so that the sum is the amount. Returns null if no e-mail address for the receipt is
 * known.
 */
export function makeReceipt(settings: ReceiptSettings, { email, amount }: { email: string | null; amount: Money }) {
  const { item, vat_code, tax_system_code, payment_subject, payment_mode, measure, fallback_email } = settings
  const to = email ?? fallback_email
  if (to === undefined) return null
  const terms = { vat_code, payment_subject, payment_mode, ...(measure !== undefined && { measure }) }
  return {
    customer: { email: to },
    items: [{ description: item, quantity: 1, amount, ...terms }],
    ...(tax_system_code !== undefined && { tax_system_code }),
  } satisfies Receipt
}

/** Makes a refund's receipt: the payment's receipt as it was sent, with the refunded amount. */
export function receiptOfRefund(paymentBody: string, amount: Money): Receipt | null {
  const { receipt } = z.object({ receipt: receiptSchema.optional() }).parse(JSON.parse(paymentBody))
  return receipt === undefined ? null : { ...receipt, items: receipt.items.map((item) => ({ ...item, amount })) }
}
