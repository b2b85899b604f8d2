import { BlockList, isIPv6 } from 'node:net'
import { z } from 'zod'
import { toDecimal } from '#contract/money.ts'
import { MINUTE, SECOND } from '#contract/time.ts'
import { apiUrl, isSafe } from '#server/adapters/shared/ask-vendor.ts'
import { listKnownReversals } from '#server/adapters/shared/coins/queries.ts'
import { listCoinFaults } from '#server/adapters/shared/coins/value-coins.ts'
import { toText } from '#server/adapters/shared/exact-decimal.ts'
import { describeSystems, readSettings, systemsSchema } from '#server/adapters/shared/system-settings.ts'
import type {
  Begun,
  Gateway,
  GatewayRow,
  PaymentOrder,
  PaymentSystem,
  RefusedPayment,
  TransferGuidance,
} from '#server/core/gateways/gateway.ts'
import type { Context } from '#server/house/context.ts'
import { askHeleket, type HeleketAccount, type HeleketInvoice } from './api.ts'
import { readFacts, requireSame } from './facts.ts'
import { readHeleketEvent } from './read-event.ts'

/** The lifetimes of an invoice that Heleket allows, in minutes. */
const OPEN_MINUTES = { least: 5, standard: 60, most: 720 }
/** The poll interval that Heleket's documentation asks for. */
const POLL_MS = 30 * SECOND
const LIMITS = {
  rub: { minMicros: 200_000_000n, maxMicros: 500_000_000_000n },
  usd: { minMicros: 2_000_000n, maxMicros: 5_000_000_000n },
}

const assetSchema = z.strictObject({
  currency: z.string().regex(/^[A-Z0-9]{2,10}$/, 'is a code such as USDT'),
  network: z.string().regex(/^[a-z0-9_]{2,20}$/, 'is a code such as tron'),
  network_name: z.string().min(1).max(40).optional(),
})

const settingsSchema = z.strictObject({
  merchant: z.string().regex(/^[\w-]{8,64}$/, 'is the merchant id'),
  payment_key: z.string().regex(/^[\x21-\x7e]{16,300}$/, 'is the payment API key'),
  api_url: apiUrl.default('https://api.heleket.com'),
  /** The IP addresses that may send webhooks. If empty, any address may. */
  webhook_addresses: z
    .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))
    .max(50)
    .default(['31.133.220.8']),
  /** The percentage by which a payment may fall short and still counts as paid. */
  accuracy_percent: z.number().int().min(0).max(50).default(0),
  /** The share of Heleket's fee that the payer bears, in per cent. */
  payer_fee_percent: z.number().int().min(0).max(100).default(0),
  /** True if the payer may pay what is missing after a payment that was too small. */
  is_payment_multiple: z.boolean().default(true),
  course_source: z.enum(['Binance', 'BinanceP2P', 'Exmo', 'Kucoin']).optional(),
  /** The currency of `payment_amount`: the payer's coin or the invoice's currency. */
  paid_in: z.enum(['payer', 'invoice']).default('payer'),
  /** The maximum age of a rate that values late coins, or coins beyond the due sum. */
  rate_max_age_minutes: z.number().int().min(1).max(1_440).default(60),
  /** True if Heleket's page, where the payer chooses the coin, is offered. */
  page: z.boolean().default(true),
  assets: z.array(assetSchema).max(10).default([]),
  systems: systemsSchema,
})
type Settings = z.output<typeof settingsSchema>
type Asset = z.output<typeof assetSchema>

/**
 * Accepts coins through Heleket, the successor of Cryptomus (doc.heleket.com). Only replies of `/v1/payment/info` are
 * credited, because a webhook is only a hint.
 */
export function createHeleket(ctx: Context, row: GatewayRow): Gateway {
  const settings = readSettings(settingsSchema, row.settings)
  const account: HeleketAccount = { apiUrl: settings.api_url, merchant: settings.merchant, key: settings.payment_key }
  const systems = systemsOf(row.code, settings)
  const assetOf = new Map(settings.assets.map((asset) => [`${row.code}-${suffixOf(asset)}`, asset]))
  const callbackUrl = new URL(`/gateways/${row.code}/events`, ctx.config.publicUrl).href
  const allowed = listOf(settings.webhook_addresses)
  const source = { ctx, gatewayId: row.id, code: row.code, rateMaxAgeMs: settings.rate_max_age_minutes * MINUTE }
  const reading = { paidIn: settings.paid_in, accuracyPercent: settings.accuracy_percent }
  return {
    id: row.id,
    code: row.code,
    systems,
    leastPauseMs: POLL_MS,
    async begin(order, signal) {
      const asset = assetOf.get(order.system)
      const input = toInvoice(order, { settings, asset, callbackUrl, now: ctx.clock.now() })
      const made = await askHeleket(account, { path: '/v1/payment', input }, signal)
      const info = { path: '/v1/payment/info', input: { order_id: order.transactionId } } as const
      // Heleket's documentation contradicts itself: a repeated order_id is refused, or gets the earlier invoice.
      const isRepeated = made.outcome === 'refused' && made.fields.includes('order_id')
      let answer = isRepeated ? await askHeleket(account, info, signal) : made
      if (answer.outcome === 'invoice' && asset !== undefined && !isAddressed(answer.invoice)) {
        answer = await askHeleket(account, info, signal)
      }
      if (answer.outcome === 'refused') return { outcome: 'refused', reason: (isRepeated ? made : answer).words }
      requireSame(answer.invoice, { ...order, providerId: null })
      return lead(answer.invoice, asset)
    },
    async fetch(payment, signal) {
      const { transactionId } = payment
      const askedAt = ctx.clock.now()
      const reversals = await listKnownReversals(ctx.db, { gatewayId: row.id, transactionId, kind: 'refund' })
      const input = { order_id: transactionId }
      const answer = await askHeleket(account, { path: '/v1/payment/info', input }, signal)
      if (answer.outcome === 'refused') {
        if (payment.providerId === null) return null
        throw new Error(`Heleket does not know its invoice any more: ${answer.words}`)
      }
      const facts = await readFacts(source, { invoice: answer.invoice, payment, reading, reversals, askedAt })
      // No buyer saw the invoice and nobody paid it, so payment of this order may still be started.
      const isUnseen = payment.providerId === null && facts.deposits.length === 0 && facts.progress !== 'confirming'
      return isUnseen ? null : facts
    },
    listFaults: () => listCoinFaults(source),
    readEvent: (event) => readHeleketEvent({ key: settings.payment_key, allowed }, event),
  }
}

function suffixOf({ currency, network }: Asset): string {
  return `${currency}-${network}`.toLowerCase()
}

function systemsOf(code: string, { page, assets, systems: given }: Settings): PaymentSystem[] {
  const common = { limits: LIMITS, minutes: 10, lifetimeMs: OPEN_MINUTES.standard * MINUTE, isCard: false }
  const names = { en: 'Cryptocurrency', ru: 'Криптовалюта' }
  const ofPage = { ...common, suffix: '', form: 'redirect', mark: 'coin', names } as const
  const ofAssets = assets.map((asset) => {
    const name = `${asset.currency}, ${nameOf(asset)}`
    return {
      ...common,
      suffix: suffixOf(asset),
      form: 'transfer',
      mark: 'coin',
      names: { en: name, ru: name },
    } as const
  })
  const systems = describeSystems(code, given, [...(page ? [ofPage] : []), ...ofAssets])
  if (systems.length === 0) throw new Error('assets: without them and without the page there is no payment method')
  if (new Set(systems.map(({ key }) => key)).size < systems.length) throw new Error('assets: one is named twice')
  for (const { lifetimeMs } of systems) {
    const minutes = lifetimeMs / MINUTE
    if (minutes < OPEN_MINUTES.least || minutes > OPEN_MINUTES.most) {
      throw new Error(`systems: open_minutes is from ${OPEN_MINUTES.least} to ${OPEN_MINUTES.most} at Heleket`)
    }
  }
  return systems
}

function nameOf({ network, network_name }: Asset): string {
  return network_name ?? network.toUpperCase()
}

function listOf(addresses: readonly string[]): BlockList | null {
  if (addresses.length === 0) return null
  const list = new BlockList()
  for (const address of addresses) {
    const [net = '', prefix] = address.split('/')
    const family = isIPv6(net) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(net, family)
    else list.addSubnet(net, Number(prefix), family)
  }
  return list
}

function toInvoice(
  order: PaymentOrder,
  made: { settings: Settings; asset: Asset | undefined; callbackUrl: string; now: Date },
): object {
  const { settings, asset, callbackUrl, now } = made
  const seconds = Math.round((order.expiresAt.getTime() - now.getTime()) / SECOND)
  const [least, most] = [OPEN_MINUTES.least * 60, OPEN_MINUTES.most * 60]
  return {
    amount: toDecimal(order.amountMicros),
    currency: order.currency.toUpperCase(),
    order_id: order.transactionId,
    url_return: order.returnUrl,
    url_success: order.returnUrl,
    url_callback: callbackUrl,
    is_payment_multiple: settings.is_payment_multiple,
    lifetime: Math.min(Math.max(seconds, least), most),
    subtract: settings.payer_fee_percent,
    accuracy_payment_percent: settings.accuracy_percent,
    ...(settings.course_source && { course_source: settings.course_source }),
    ...(asset && { to_currency: asset.currency, network: asset.network }),
  }
}

/** Returns true if the reply has an address and a sum, which Heleket's documentation does not promise. */
function isAddressed({ address, payer_amount }: HeleketInvoice): boolean {
  return Boolean(address) && payer_amount != null && payer_amount.units > 0n
}

function lead(invoice: HeleketInvoice, asset: Asset | undefined): Begun | RefusedPayment {
  const { uuid: providerId, url } = invoice
  if (asset !== undefined) {
    const guidance = transferTo(invoice, asset)
    return guidance === null
      ? { outcome: 'refused', reason: 'Heleket gave no address' }
      : { outcome: 'begun', providerId, guidance }
  }
  if (!url || !URL.canParse(url) || !isSafe(url))
    return { outcome: 'refused', reason: 'Heleket gave no page to pay on' }
  return { outcome: 'begun', providerId, guidance: { form: 'redirect', url } }
}

function transferTo({ address, payer_amount: due }: HeleketInvoice, asset: Asset): TransferGuidance | null {
  if (!address || due == null || due.units <= 0n) return null
  // The QR code contains only the address, because most wallets read nothing else.
  return { form: 'transfer', address, network: nameOf(asset), asset: asset.currency, amount: toText(due), uri: address }
}
