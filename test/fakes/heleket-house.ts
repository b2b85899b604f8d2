import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Clock } from '#server/house/clock.ts'
import { listenOnLoopback } from './loopback-server.ts'

export const HELEKET_MERCHANT = '8b03432e-385b-4670-8d06-064591096795'
export const HELEKET_KEY = 'uQ4LFWCBE3dT84uQnt7ycL7p9Wc0123456789'

/** An invoice as `/v1/payment/info` returns it. Amounts are strings. */
export type HouseInvoice = {
  uuid: string
  order_id: string
  amount: string
  currency: string
  payment_amount: string | null
  payer_amount: string | null
  payer_currency: string | null
  network: string | null
  address: string | null
  from: string | null
  txid: string | null
  payment_status: string
  url: string
  expired_at: number
  is_final: boolean
}
type Signed = { body: string; headers: Record<string, string> }

/**
 * Plays Heleket by its documentation and SDK, and checks requests. `misbehave` replaces the normal answer.
 * Requests are signed over their bytes, each order_id has one invoice, and webhooks have the JSON of PHP.
 */
export type HeleketHouse = AsyncDisposable & {
  url: string
  invoices: Map<string, HouseInvoice>
  faults: string[]
  orders: Record<string, unknown>[]
  askedAt: Date[]
  /** Whether a repeated order_id returns its invoice or is refused. The documentation says both. */
  repeated: 'answered' | 'refused'
  due: { asset: string; amount: string }
  /** The time when the payment address is known, if coin and network are given. */
  addressing: 'at-once' | 'later' | 'never'
  misbehave: ((request: IncomingMessage, reply: ServerResponse) => boolean) | null
  one(orderId: string): HouseInvoice
  set(orderId: string, status: string, more?: Partial<HouseInvoice>): HouseInvoice
  /** Returns a signed webhook about an invoice. `more` overrides fields. */
  event(orderId: string, more?: Record<string, unknown>, key?: string): Signed
}

const ORDER_PATTERN = /^[\w-]{1,128}$/
const FINAL = ['paid', 'paid_over', 'wrong_amount', 'fail', 'cancel', 'system_fail', 'refund_paid', 'refund_fail']

export async function openHeleketHouse(clock: Clock): Promise<HeleketHouse> {
  const house = {
    invoices: new Map<string, HouseInvoice>(),
    faults: [] as string[],
    orders: [] as Record<string, unknown>[],
    askedAt: [] as Date[],
    repeated: 'answered' as HeleketHouse['repeated'],
    due: { asset: 'USDT', amount: '20.00' },
    addressing: 'at-once' as HeleketHouse['addressing'],
    misbehave: null as HeleketHouse['misbehave'],
    one(orderId: string) {
      const found = house.invoices.get(orderId)
      if (found === undefined) throw new Error(`there is no invoice of ${orderId}`)
      return found
    },
    set(orderId: string, payment_status: string, more: Partial<HouseInvoice> = {}) {
      const { asset, amount } = house.due
      const chosen = { payer_currency: asset, payer_amount: amount, network: 'tron', from: 'TPayer' }
      const is_final = FINAL.includes(payment_status)
      return Object.assign(house.one(orderId), { ...chosen, payment_status, is_final, ...more })
    },
    event(orderId: string, more: Record<string, unknown> = {}, key = HELEKET_KEY): Signed {
      const { payment_status: status, url: _, ...invoice } = house.one(orderId)
      return signedLikePhp({ type: 'payment', ...invoice, status, additional_data: null, ...more }, key)
    },
  }
  const server = await listenOnLoopback((request, reply) => {
    answer(request, reply).catch((error: unknown) => {
      house.faults.push(String(error))
      reply.destroy()
    })
  })

  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const { method, url, headers } = request
    if (method !== 'POST' || headers['content-type'] !== 'application/json') house.faults.push(`${method} ${url}`)
    if (house.misbehave?.(request, reply) === true) return
    if (headers.merchant !== HELEKET_MERCHANT || headers.sign !== md5Of(body, HELEKET_KEY)) {
      return send(reply, 401, { state: 1, message: 'Wrong key' })
    }
    // Heleket refuses amounts that are JSON numbers.
    const input: Record<string, unknown> = JSON.parse(body.toString('utf8'))
    if (url === '/v1/payment') return create(input, reply)
    if (url !== '/v1/payment/info') return send(reply, 404, { state: 1, message: 'Not found' })
    house.askedAt.push(clock.now())
    const found = house.invoices.get(String(input.order_id))
    if (found === undefined) return send(reply, 404, { state: 1, message: 'Payment not found' })
    if (found.address === null && house.addressing === 'later') Object.assign(found, addressed())
    send(reply, 200, { state: 0, result: { ...found, status: found.payment_status } })
  }

  function create(input: Record<string, unknown>, reply: ServerResponse): void {
    const errors = faultsOf(input)
    const orderId = String(input.order_id)
    const before = house.invoices.get(orderId)
    if (before !== undefined && house.repeated === 'refused') errors.order_id = ['Duplicate']
    if (Object.keys(errors).length > 0) {
      send(reply, 422, { state: 1, errors })
      return
    }
    house.orders.push(input)
    const invoice = before ?? make(input, orderId)
    house.invoices.set(orderId, invoice)
    send(reply, 200, { state: 0, result: { ...invoice, merchant_amount: null, commission: '0.09' } })
  }

  function make(input: Record<string, unknown>, order_id: string): HouseInvoice {
    const uuid = randomUUID()
    const none = { payment_amount: null, payer_amount: null, payer_currency: null, network: null, address: null }
    const isFixed = typeof input.to_currency === 'string' && house.addressing === 'at-once'
    return {
      uuid,
      order_id,
      amount: String(input.amount),
      currency: String(input.currency),
      ...none,
      ...(isFixed && addressed()),
      from: null,
      txid: null,
      payment_status: 'check',
      url: `https://pay.heleket.com/pay/${uuid}`,
      expired_at: Math.floor(clock.now().getTime() / 1000) + Number(input.lifetime),
      is_final: false,
    }
  }

  function addressed(): Partial<HouseInvoice> {
    const { asset, amount } = house.due
    return {
      payer_currency: asset,
      payer_amount: amount,
      network: 'tron',
      address: 'TDD97yguPESTpcrJMqU6h2ozZbibv4Vaqm',
    }
  }

  return Object.assign(house, { url: server.url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() })
}

/** Returns signed data in the form of PHP's `json_encode` with JSON_UNESCAPED_UNICODE. `sign` comes last. */
export function signedLikePhp(data: Record<string, unknown>, key = HELEKET_KEY): Signed {
  return signedRaw(phpJson(data), key)
}

export function signedRaw(text: string, key = HELEKET_KEY): Signed {
  const body = `${text.slice(0, -1)},"sign":"${md5Of(Buffer.from(text), key)}"}`
  return { body, headers: { 'content-type': 'application/json' } }
}

function phpJson(data: object): string {
  return JSON.stringify(data).replaceAll('/', '\\/').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

function md5Of(body: Buffer, key: string): string {
  return createHash('md5')
    .update(body.toString('base64') + key)
    .digest('hex')
}

function faultsOf(input: Record<string, unknown>): Record<string, string[]> {
  const between = (value: unknown, least: number, most: number) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most
  const isUrl = (value: unknown) => typeof value === 'string' && value.length >= 6 && value.length <= 255
  const rules: Record<string, boolean> = {
    amount: typeof input.amount === 'string' && /^\d+\.\d{2}$/.test(input.amount),
    currency: ['RUB', 'USD'].includes(String(input.currency)),
    order_id: ORDER_PATTERN.test(String(input.order_id)),
    lifetime: between(input.lifetime, 300, 43_200),
    subtract: between(input.subtract, 0, 100),
    accuracy_payment_percent: between(input.accuracy_payment_percent, 0, 50),
    is_payment_multiple: typeof input.is_payment_multiple === 'boolean',
    url_callback: isUrl(input.url_callback),
    url_return: isUrl(input.url_return),
    url_success: isUrl(input.url_success),
  }
  const broken = Object.keys(rules).filter((name) => rules[name] === false)
  return Object.fromEntries(broken.map((name) => [name, ['validation.invalid']]))
}

function send(reply: ServerResponse, status: number, body: object): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(phpJson(body))
}
