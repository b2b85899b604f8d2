import proxyAddr from '@fastify/proxy-addr'
import { z } from 'zod'
import { apiUrl } from '#server/adapters/shared/ask-vendor.ts'
import { readSettings, systemsSchema } from '#server/adapters/shared/system-settings.ts'

/** The IP addresses from which YooKassa sends notifications (yookassa.ru/developers/using-api/webhooks#ip). */
const WEBHOOK_ADDRESSES = [
  '185.71.76.0/27',
  '185.71.77.0/27',
  '77.75.153.0/25',
  '77.75.154.128/25',
  '77.75.156.11',
  '77.75.156.35',
  '2a02:5180::/32',
]
const API_URL = 'https://api.yookassa.ru/v3'

const word = z.string().regex(/^[a-z_]{1,40}$/, 'is a word of the API such as service')
const PAYMENT_MODES = [
  ...(['full_prepayment', 'partial_prepayment', 'advance'] as const),
  ...(['full_payment', 'partial_payment', 'credit', 'credit_payment'] as const),
] as const

/**
 * The values of receipts by the Russian law 54-FZ, chosen by an accountant
 * (yookassa.ru/developers/54fz/parameters-values).
 */
const receiptSchema = z.strictObject({
  item: z.string().min(1).max(128),
  vat_code: z.number().int().min(1).max(12),
  tax_system_code: z.number().int().min(1).max(6).optional(),
  payment_subject: word,
  payment_mode: z.enum(PAYMENT_MODES),
  measure: word.optional(),
  fallback_email: z.email().max(254).optional(),
})
export type ReceiptSettings = z.output<typeof receiptSchema>

const addresses = z
  .array(z.string().max(50))
  .min(1)
  .max(50)
  .transform((list, check) => {
    try {
      return proxyAddr.compile(list)
    } catch {
      check.addIssue('are addresses or ranges such as 185.71.76.0/27')
      return z.NEVER
    }
  })

const text = z.string().min(1).max(128)
const settingsSchema = z
  .strictObject({
    shop_id: z.string().regex(/^\d{1,20}$/, 'is the number of the shop'),
    secret_key: z.string().regex(/^[\x21-\x7e]{10,200}$/, 'is the secret key of the shop'),
    /** True for a test shop, whose payments are play money. A real shop never accepts a test payment. */
    test: z.boolean().default(false),
    methods: z
      .array(z.enum(['card', 'sbp']))
      .min(1)
      .max(2)
      .default(['card', 'sbp']),
    description: z.strictObject({ en: text, ru: text }).default({ en: 'Balance top-up', ru: 'Пополнение баланса' }),
    receipt: receiptSchema.optional(),
    webhook_addresses: addresses.prefault(WEBHOOK_ADDRESSES),
    /** A different URL of YooKassa's API. It must use TLS or be on this machine. */
    api_url: apiUrl.default(API_URL),
    systems: systemsSchema,
  })
  .superRefine(({ secret_key: key, test }, check) => {
    const isWrongKey = (key.startsWith('test_') && !test) || (key.startsWith('live_') && test)
    if (isWrongKey) check.addIssue({ code: 'custom', path: ['test'], message: 'does not fit the secret key' })
  })
export type ShopSettings = z.output<typeof settingsSchema>

export function readShopSettings(settings: Record<string, unknown>): ShopSettings {
  return readSettings(settingsSchema, settings)
}
