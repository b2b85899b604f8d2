import { z } from 'zod'
import { toDecimal } from '#contract/money.ts'
import { MINUTE } from '#contract/time.ts'
import { apiUrl } from '#server/adapters/shared/ask-vendor.ts'
import { type KnownReversal, listCredited, listKnownReversals } from '#server/adapters/shared/coins/queries.ts'
import { type CoinSource, isWaiting, listCoinFaults, valueCoins } from '#server/adapters/shared/coins/value-coins.ts'
import { toMicros, toText } from '#server/adapters/shared/exact-decimal.ts'
import { describeSystems, readSettings, systemsSchema } from '#server/adapters/shared/system-settings.ts'
import type {
  Begun,
  Gateway,
  GatewayRow,
  KnownPayment,
  PaymentFacts,
  PaymentOrder,
  PaymentSystem,
  RefusedPayment,
} from '#server/core/gateways/gateway.ts'
import type { Context } from '#server/house/context.ts'
import {
  type BtcpayInvoice,
  type BtcpayMethod,
  type BtcpayStore,
  findInvoice,
  listInvoices,
  makeInvoice,
  readMethod,
} from './api.ts'
import { arrivalsOf, type SeenInvoice } from './arrivals.ts'
import { factsOf } from './facts.ts'
import { levelOf } from './level.ts'
import { readBtcpayEvent } from './read-event.ts'

const WAYS = ['btc', 'ln'] as const
type Way = (typeof WAYS)[number]

/** `places` is the number of decimals in BTCPay's amounts; Lightning counts thousandths of a satoshi. */
const METHODS: Record<Way, { id: string; network: string; scheme: string; places: number }> = {
  btc: { id: 'BTC-CHAIN', network: 'Bitcoin', scheme: 'bitcoin', places: 8 },
  ln: { id: 'BTC-LN', network: 'Lightning', scheme: 'lightning', places: 11 },
}

const SYSTEMS = {
  btc: {
    suffix: 'btc',
    form: 'transfer',
    mark: 'bitcoin',
    names: { en: 'Bitcoin', ru: 'Биткоин' },
    limits: {
      rub: { minMicros: 1_000_000_000n, maxMicros: 1_000_000_000_000n },
      usd: { minMicros: 10_000_000n, maxMicros: 10_000_000_000n },
    },
    minutes: 30,
    lifetimeMs: 30 * MINUTE,
    isCard: false,
  },
  ln: {
    suffix: 'ln',
    form: 'transfer',
    mark: 'lightning',
    names: { en: 'Bitcoin Lightning', ru: 'Биткоин Lightning' },
    limits: {
      rub: { minMicros: 100_000_000n, maxMicros: 50_000_000_000n },
      usd: { minMicros: 1_000_000n, maxMicros: 500_000_000n },
    },
    minutes: 1,
    lifetimeMs: 15 * MINUTE,
    isCard: false,
  },
} as const

const settingsSchema = z.strictObject({
  /** The base address of BTCPay Server, without a path to its API. */
  url: apiUrl,
  store_id: z.string().regex(/^\w{10,100}$/, 'is the id of the store'),
  api_key: z.string().regex(/^[\x21-\x7e]{20,200}$/, 'is an API key of Greenfield'),
  /** Several webhook secrets may be valid while one secret is being replaced. */
  webhook_secrets: z.array(z.string().min(8).max(200)).min(1).max(3),
  offer: z
    .array(z.enum(WAYS))
    .min(1)
    .default([...WAYS]),
  /** The number of confirmations that BTCPay waits for: 0, 1, 2 or 6. */
  speed_policy: z.enum(['HighSpeed', 'MediumSpeed', 'LowMediumSpeed', 'LowSpeed']).default('MediumSpeed'),
  /** The time after expiry of an invoice during which BTCPay still watches for late coins, in minutes. */
  monitoring_minutes: z.number().int().min(60).max(43_200).default(1_440),
  tolerance_percent: z.number().int().min(0).max(50).default(0),
  /** The coin's name in `rate:list`. It values payments that arrive after the rate of the invoice has expired. */
  rate: z
    .string()
    .regex(/^[a-z0-9]{2,10}$/, 'is such as btc')
    .default('btc'),
  rate_max_age_minutes: z.number().int().min(1).max(1_440).default(60),
  systems: systemsSchema,
})
type Settings = z.output<typeof settingsSchema>

/**
 * Accepts Bitcoin and Lightning through our own BTCPay Server 2 (docs.btcpayserver.org/API/Greenfield). Only API
 * replies are credited, because a webhook is only a hint.
 */
export function createBtcpay(ctx: Context, row: GatewayRow): Gateway {
  const settings = readSettings(settingsSchema, row.settings)
  const store: BtcpayStore = { url: settings.url, storeId: settings.store_id, apiKey: settings.api_key }
  const source = { ctx, gatewayId: row.id, code: row.code, rateMaxAgeMs: settings.rate_max_age_minutes * MINUTE }
  const begun = new Map<string, Promise<Begun | RefusedPayment>>()
  return {
    id: row.id,
    code: row.code,
    systems: systemsOf(row.code, settings),
    begin(order, signal) {
      // BTCPay makes a new invoice for each request, so two concurrent clicks of a buyer share one request.
      const running = begun.get(order.transactionId)
      if (running !== undefined) return running
      const minutes = Math.max(1, Math.round((order.expiresAt.getTime() - ctx.clock.now().getTime()) / MINUTE))
      const run = beginOnce(store, { order, input: toInvoice(order, { settings, minutes }) }, signal).finally(() =>
        begun.delete(order.transactionId),
      )
      begun.set(order.transactionId, run)
      return run
    },
    async fetch(payment, signal) {
      const { transactionId } = payment
      const reversals = await listKnownReversals(ctx.db, { gatewayId: row.id, transactionId, kind: 'dispute' })
      const invoices = await invoicesOf(store, payment, signal)
      const { id: methodId, places } = METHODS[wayOf(payment.system)]
      const seen = await Promise.all(
        invoices.map(async (invoice) => {
          const method = await readMethod(store, { invoiceId: invoice.id, methodId }, signal)
          return { invoice, method, places }
        }),
      )
      // No buyer saw the invoice and nobody paid it, so payment of this order may still be started.
      if (payment.providerId === null && seen.every(({ method }) => method.payments.length === 0)) return null
      return readFacts(source, { payment, seen, reversals, settings })
    },
    listFaults: () => listCoinFaults(source),
    readEvent: (event) => readBtcpayEvent(settings.webhook_secrets, event),
  }
}

type Asked = {
  payment: KnownPayment
  seen: readonly SeenInvoice[]
  reversals: readonly KnownReversal[]
  settings: Settings
}

async function readFacts(source: CoinSource, { payment, seen, reversals, settings }: Asked): Promise<PaymentFacts> {
  const { ctx, gatewayId } = source
  const { transactionId } = payment
  const before = await listCredited(ctx.db, { gatewayId, transactionId })
  const found = seen.map((one) => arrivalsOf(one, payment, { asset: settings.rate, credited: before }))
  const arrivals = found.flatMap((one) => one.arrivals)
  const held = found.flatMap((one) => one.held)
  const there = new Set([...arrivals.map(({ providerId }) => providerId), ...held])
  const deposits = await valueCoins(source, payment, { arrivalsOf: () => arrivals, stands: (id) => there.has(id) })
  const settled = deposits.filter(({ provider_id: id }) => there.has(id))
  const credited = await listCredited(ctx.db, { gatewayId, transactionId })
  const level = levelOf(payment, { seen, settled, credited, tolerance: settings.tolerance_percent })
  const unvalued = held.filter((name) => settled.every(({ provider_id: id }) => id !== name))
  for (const name of unvalued) {
    ctx.log.warn({ payment: transactionId, held: name }, 'BTCPay tells of an amount that cannot be, so it is held')
  }
  for (const { invoiceId, worthMicros } of level.short) {
    const worth = toDecimal(worthMicros)
    ctx.log.warn({ payment: transactionId, invoiceId, worth }, 'BTCPay has an invoice as settled that is worth less')
  }
  const isUnvalued = unvalued.length > 0 || settled.some(isWaiting)
  return factsOf({ seen, level, isUnvalued, credited, reversals, now: ctx.clock.now() })
}

function systemsOf(code: string, { offer, systems: given }: Settings): PaymentSystem[] {
  const ways = WAYS.filter((way) => offer.includes(way))
  return describeSystems(
    code,
    given,
    ways.map((way) => SYSTEMS[way]),
  )
}

/** The payment system of an old order may no longer be offered. */
function wayOf(system: string): Way {
  return system.endsWith('-ln') ? 'ln' : 'btc'
}

async function beginOnce(
  store: BtcpayStore,
  { order, input }: { order: PaymentOrder; input: object },
  signal: AbortSignal,
): Promise<Begun | RefusedPayment> {
  const [before] = (await listInvoices(store, order.transactionId, signal)).filter((one) => isOf(one, order, store))
  const made =
    before === undefined ? await makeInvoice(store, input, signal) : { outcome: 'made' as const, invoice: before }
  if (made.outcome === 'refused') return { outcome: 'refused', reason: made.words }
  const { invoice } = made
  if (!isOf(invoice, order, store)) throw new Error(`BTCPay answered about another invoice: ${invoice.id}`)
  const way = wayOf(order.system)
  const method = await readMethod(store, { invoiceId: invoice.id, methodId: METHODS[way].id }, signal)
  return lead(invoice.id, method, way)
}

function lead(providerId: string, method: BtcpayMethod, way: Way): Begun | RefusedPayment {
  const { destination: address, paymentLink, due, currency } = method
  if (!address || due.units <= 0n) return { outcome: 'refused', reason: 'BTCPay gave nowhere to pay to' }
  const { network, scheme } = METHODS[way]
  const uri = paymentLink || `${scheme}:${address}`
  const shown = { form: 'transfer', address, network, asset: currency ?? 'BTC', amount: toText(due), uri } as const
  return { outcome: 'begun', providerId, guidance: shown }
}

/** Lists all invoices of the order, because an invoice whose creation timed out may exist and be paid. */
async function invoicesOf(store: BtcpayStore, payment: KnownPayment, signal: AbortSignal): Promise<BtcpayInvoice[]> {
  const { transactionId, providerId } = payment
  const listed = (await listInvoices(store, transactionId, signal)).filter((one) => isOf(one, payment, store))
  if (providerId === null || listed.some(({ id }) => id === providerId)) return listed
  const own = await findInvoice(store, providerId, signal)
  if (own === null || !isOf(own, payment, store)) throw new Error('BTCPay does not know its invoice any more')
  return [own, ...listed]
}

type Wanted = Pick<PaymentOrder, 'transactionId' | 'amountMicros' | 'currency'>

function isOf(invoice: BtcpayInvoice, wanted: Wanted, { storeId }: BtcpayStore): boolean {
  return (
    invoice.storeId === storeId &&
    invoice.metadata?.orderId === wanted.transactionId &&
    invoice.currency.toLowerCase() === wanted.currency &&
    toMicros(invoice.amount) === wanted.amountMicros
  )
}

function toInvoice(order: PaymentOrder, { settings, minutes }: { settings: Settings; minutes: number }): object {
  return {
    amount: toDecimal(order.amountMicros),
    currency: order.currency.toUpperCase(),
    metadata: { orderId: order.transactionId },
    checkout: {
      paymentMethods: [METHODS[wayOf(order.system)].id],
      // BTCPay with lazy payment methods makes no address before somebody opens its payment page.
      lazyPaymentMethods: false,
      speedPolicy: settings.speed_policy,
      expirationMinutes: minutes,
      monitoringMinutes: settings.monitoring_minutes,
      paymentTolerance: settings.tolerance_percent,
      redirectURL: order.returnUrl,
    },
  }
}
