import { z } from 'zod'

export type Money = { value: string; currency: string }
type Fault = { parameter: string; description: string }

const money = z.strictObject({ value: z.string().regex(/^\d{1,9}\.\d{2}$/), currency: z.literal('RUB') })

const receiptSchema = z.strictObject({
  customer: z.strictObject({ email: z.email() }),
  items: z
    .array(
      z.strictObject({
        description: z.string().min(1).max(128),
        quantity: z.literal(1),
        amount: money,
        vat_code: z.number().int().min(1).max(12),
        payment_subject: z.enum(['service', 'payment', 'commodity']),
        payment_mode: z.enum(['full_prepayment', 'full_payment', 'advance']),
        measure: z.enum(['piece', 'another']).optional(),
      }),
    )
    .min(1)
    .max(100),
  tax_system_code: z.number().int().min(1).max(6).optional(),
})

/** The request bodies of yookassa.ru/developers/api. An unknown field is a fault of the service. */
const paymentSchema = z.strictObject({
  amount: money,
  capture: z.boolean().default(false),
  payment_method_data: z.strictObject({ type: z.enum(['bank_card', 'sbp']) }),
  confirmation: z.strictObject({
    type: z.literal('redirect'),
    return_url: z.url().max(2_048),
    locale: z.enum(['ru_RU', 'en_US']).optional(),
  }),
  description: z.string().max(128).optional(),
  metadata: z.record(z.string().max(32), z.string().max(512)),
  receipt: z.unknown().optional(),
})

/** The maximum payment in roubles, by payment method. */
const MOST = { bank_card: 350_000, sbp: 700_000 }

export function faultsOfPayment(body: unknown, shop: { isTest: boolean; needsReceipt: boolean }): Fault | null {
  const read = paymentSchema.safeParse(body)
  if (!read.success) return faultOf(read.error)
  const { amount, capture, receipt, payment_method_data: method } = read.data
  if (method.type === 'sbp' && !capture) return { parameter: 'capture', description: 'SBP has one stage' }
  if (method.type === 'sbp' && shop.isTest)
    return { parameter: 'payment_method_data', description: 'not in a test shop' }
  const most = MOST[method.type] * 100
  if (kopecks(amount) < 100 || kopecks(amount) > most) return { parameter: 'amount', description: 'beyond the limits' }
  return shop.needsReceipt || receipt !== undefined ? faultsOfReceipt(receipt, amount) : null
}

export function faultsOfReceipt(receipt: unknown, amount: Money): Fault | null {
  const description = 'Receipt is missing or illegal'
  const read = receiptSchema.safeParse(receipt)
  if (!read.success) return { parameter: faultOf(read.error).parameter || 'receipt', description }
  const sum = read.data.items.reduce((all, item) => all + kopecks(item.amount), 0)
  return sum === kopecks(amount) ? null : { parameter: 'receipt.items', description }
}

export function kopecks({ value }: Money): number {
  return Number(value.replace('.', ''))
}

function faultOf({ issues: [issue] }: z.ZodError): Fault {
  return { parameter: issue?.path.join('.') ?? '', description: issue?.message ?? '' }
}
