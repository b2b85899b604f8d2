import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Clock } from '#server/house/clock.ts'
import { listenOnLoopback } from './loopback-server.ts'

export const BTCPAY_KEY = '0123456789abcdef0123456789abcdef01234567'
export const BTCPAY_SECRET = 'first secret of webhooks'
export const BTCPAY_STORE = 'StoreOfTheTests1'

export type HousePayment = {
  id: string
  value: string
  fee?: string
  status: 'Invalid' | 'Processing' | 'Settled'
  receivedDate?: number
}
type HouseInvoice = {
  id: string
  storeId: string
  amount: string
  currency: string
  metadata: { orderId: string }
  createdTime: number
  expirationTime: number
  monitoringExpiration: number
  status: string
  additionalStatus: string
  archived: boolean
  method: string
  /** The price of one bitcoin. An invoice keeps for good the price at its creation. */
  rate: string
  /** The payment tolerance in per cent, or null if the invoice has no such field. */
  tolerance: number | null
  payments: HousePayment[]
}
type Signed = { body: string; headers: Record<string, string> }

/**
 * Plays a store of BTCPay Server 2 by the swagger file of its Greenfield API, and checks requests.
 * Each request to create makes a new invoice, payments are listed by method, and signatures cover the bytes of indented
 * JSON. `misbehave` replaces the normal answer.
 */
export type BtcpayHouse = AsyncDisposable & {
  url: string
  invoices: HouseInvoice[]
  faults: string[]
  orders: Record<string, unknown>[]
  rate: string
  misbehave: ((request: IncomingMessage, reply: ServerResponse) => boolean) | null
  of(orderId: string, place?: number): HouseInvoice
  set(orderId: string, status: string, more?: { additional?: string; payments?: HousePayment[] }): HouseInvoice
  event(type: string, more?: Record<string, unknown>, secret?: string): Signed
}

const METHODS: Record<string, { places: number; link: string; destination: string }> = {
  'BTC-CHAIN': { places: 8, link: 'bitcoin:', destination: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' },
  'BTC-LN': { places: 11, link: 'lightning:', destination: `lnbc310600n1${'p'.repeat(240)}` },
}
const SPEEDS = ['HighSpeed', 'MediumSpeed', 'LowMediumSpeed', 'LowSpeed']

export async function openBtcpayHouse(clock: Clock): Promise<BtcpayHouse> {
  let deliveries = 0
  const house = {
    invoices: [] as HouseInvoice[],
    faults: [] as string[],
    orders: [] as Record<string, unknown>[],
    rate: '64392.23',
    misbehave: null as BtcpayHouse['misbehave'],
    of(orderId: string, place = 0) {
      const found = house.invoices.filter(({ metadata }) => metadata.orderId === orderId)[place]
      if (found === undefined) throw new Error(`there is no invoice of ${orderId}`)
      return found
    },
    set(orderId: string, status: string, more: { additional?: string; payments?: HousePayment[] } = {}) {
      const invoice = house.of(orderId)
      const { additional: additionalStatus = 'None' } = more
      const payments = more.payments?.map((one) => received(invoice, one)) ?? invoice.payments
      return Object.assign(invoice, { status, additionalStatus, payments })
    },
    event(type: string, more: Record<string, unknown> = {}, secret = BTCPAY_SECRET): Signed {
      deliveries += 1
      const deliveryId = `delivery-${deliveries}`
      const envelope = { deliveryId, webhookId: 'hook', originalDeliveryId: deliveryId, isRedelivery: false }
      const body = JSON.stringify({ ...envelope, type, timestamp: 1, storeId: BTCPAY_STORE, ...more }, null, 2)
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
      return { body, headers: { 'content-type': 'application/json', 'BTCPay-Sig': signature } }
    },
  }
  /** A payment keeps the date when it was first seen, unless the test gives a date. */
  function received({ payments }: HouseInvoice, payment: HousePayment): HousePayment {
    const known = payments.find(({ id }) => id === payment.id)
    return { ...payment, receivedDate: payment.receivedDate ?? known?.receivedDate ?? secondsOf(clock) }
  }

  const server = await listenOnLoopback((request, reply) => {
    answer(request, reply).catch((error: unknown) => {
      house.faults.push(String(error))
      reply.destroy()
    })
  })

  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const sent = await text(request)
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://btcpay')
    if (request.headers['content-type'] !== 'application/json') house.faults.push(`${request.method} ${pathname}`)
    if (house.misbehave?.(request, reply) === true) return
    if (request.headers.authorization !== `token ${BTCPAY_KEY}`) return send(reply, 401, { code: 'unauthenticated' })
    const [, id, part] =
      /^\/api\/v1\/stores\/StoreOfTheTests1\/invoices(?:\/(\w+))?(\/payment-methods)?$/.exec(pathname) ?? []
    if (request.method === 'POST') return create(JSON.parse(sent), reply)
    if (id === undefined) return send(reply, 200, listed(searchParams).map(toInvoice))
    const found = house.invoices.find((one) => one.id === id)
    const missing = { code: 'invoice-not-found', message: 'The invoice was not found' }
    if (found === undefined) return send(reply, 404, missing)
    const isAccounted = searchParams.get('onlyAccountedPayments') !== 'false'
    send(reply, 200, part === undefined ? toInvoice(found) : [toMethod(found, isAccounted)])
  }

  function listed(query: URLSearchParams): HouseInvoice[] {
    const [orderId, take] = [query.get('orderId'), Number(query.get('take') ?? 50)]
    const isWanted = (one: HouseInvoice) => query.get('includeArchived') === 'true' || !one.archived
    return house.invoices
      .filter((one) => one.metadata.orderId === orderId && isWanted(one))
      .toReversed()
      .slice(0, take)
  }

  async function create(input: Record<string, unknown>, reply: ServerResponse): Promise<void> {
    const faults = faultsOf(input)
    if (faults.length > 0) return send(reply, 422, faults)
    house.orders.push(input)
    const { amount, currency, metadata, checkout } = input as unknown as Creation
    const createdTime = secondsOf(clock) + house.invoices.length
    const expirationTime = createdTime + checkout.expirationMinutes * 60
    const invoice: HouseInvoice = {
      id: `Invoice${house.invoices.length + 1}`,
      storeId: BTCPAY_STORE,
      amount,
      currency,
      metadata,
      createdTime,
      expirationTime,
      monitoringExpiration: expirationTime + checkout.monitoringMinutes * 60,
      status: 'New',
      additionalStatus: 'None',
      archived: false,
      payments: [],
      method: checkout.paymentMethods[0] ?? '',
      rate: house.rate,
      tolerance: checkout.paymentTolerance,
    }
    house.invoices.push(invoice)
    send(reply, 200, toInvoice(invoice))
  }

  function toMethod({ method, amount, rate, payments }: HouseInvoice, isAccounted: boolean): object {
    const { places, link, destination } = METHODS[method] ?? { places: 8, link: '', destination: '' }
    const due = coins(amount, rate, places)
    const shown = payments.filter(({ status }) => !isAccounted || status !== 'Invalid')
    return {
      paymentMethodId: method,
      currency: 'BTC',
      destination,
      paymentLink: `${link}${destination}`,
      activated: true,
      rate,
      amount: due,
      due,
      totalPaid: '0',
      paymentMethodPaid: '0',
      paymentMethodFee: '0',
      payments: shown.map((one) => ({ fee: '0.0', destination, receivedDate: secondsOf(clock), ...one })),
    }
  }

  return Object.assign(house, { url: server.url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() })
}

type Creation = {
  amount: string
  currency: string
  metadata: { orderId: string }
  checkout: {
    paymentMethods: string[]
    expirationMinutes: number
    monitoringMinutes: number
    speedPolicy: string
    paymentTolerance: number
    lazyPaymentMethods: boolean
    redirectURL: string
  }
}

function toInvoice({ method, rate: _rate, tolerance, payments: _, ...invoice }: HouseInvoice): object {
  const checkoutLink = `https://btcpay.example/i/${invoice.id}`
  const checkout = { paymentMethods: [method], ...(tolerance !== null && { paymentTolerance: tolerance }) }
  return { ...invoice, type: 'Standard', paidAmount: '0.00', checkoutLink, checkout }
}

function faultsOf(input: Record<string, unknown>): { path: string; message: string }[] {
  const { amount, currency, metadata, checkout } = input as unknown as Partial<Creation>
  const minutes = (value: unknown) => Number.isInteger(value) && Number(value) >= 1
  const rules: Record<string, boolean> = {
    amount: typeof amount === 'string' && /^\d+\.\d{2}$/.test(amount),
    currency: currency === 'USD' || currency === 'RUB',
    'metadata.orderId': typeof metadata?.orderId === 'string' && Object.keys(metadata).length === 1,
    'checkout.paymentMethods': checkout?.paymentMethods.length === 1 && (checkout.paymentMethods[0] ?? '') in METHODS,
    'checkout.expirationMinutes': minutes(checkout?.expirationMinutes),
    'checkout.monitoringMinutes': minutes(checkout?.monitoringMinutes),
    'checkout.speedPolicy': SPEEDS.includes(checkout?.speedPolicy ?? ''),
    'checkout.paymentTolerance': typeof checkout?.paymentTolerance === 'number',
    'checkout.lazyPaymentMethods': checkout?.lazyPaymentMethods === false,
    'checkout.redirectURL': URL.canParse(checkout?.redirectURL ?? ''),
  }
  return Object.keys(rules).flatMap((path) => (rules[path] === false ? [{ path, message: 'is invalid' }] : []))
}

function secondsOf(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1000)
}

/** Returns the amount in coins, rounded up in the last place as BTCPay does. */
function coins(amount: string, rate: string, places: number): string {
  const cents = (decimal: string) => BigInt(decimal.replace('.', ''))
  const units = (cents(amount) * 10n ** BigInt(places) + cents(rate) - 1n) / cents(rate)
  const digits = units.toString().padStart(places + 1, '0')
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

function send(reply: ServerResponse, status: number, body: object): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
