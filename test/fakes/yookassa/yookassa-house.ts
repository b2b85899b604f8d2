import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { DAY, HOUR } from '#contract/time.ts'
import type { Clock } from '#server/house/clock.ts'
import { listenOnLoopback } from '#test/fakes/loopback-server.ts'
import { faultsOfPayment, faultsOfReceipt, kopecks, type Money } from './yookassa-rules.ts'

export const YOOKASSA_SHOP = '100500'
export const YOOKASSA_KEY = 'live_abcDEF-123456'

export type YookassaPayment = {
  id: string
  status: 'pending' | 'waiting_for_capture' | 'succeeded' | 'canceled'
  paid: boolean
  test: boolean
  amount: Money
  created_at: string
  refundable: boolean
  refunded_amount?: Money
  metadata: Record<string, string>
  payment_method: { type: string; id: string; saved: boolean }
  confirmation?: { type: string; return_url: string; confirmation_url: string }
  cancellation_details?: { party: string; reason: string }
}
type Refund = {
  id: string
  payment_id: string
  status: 'pending' | 'succeeded' | 'canceled'
  amount: Money
  created_at: string
  description?: string
  cancellation_details?: { party: string; reason: string }
}
type Answer = { status: number; body: unknown }
type Sent = { path: string; key: string; body: Record<string, unknown> }

/**
 * Plays YooKassa's API v3 by its documentation (yookassa.ru/developers/using-api), and checks requests.
 * Each Idempotence-Key gets one answer for a day, amounts are strings, and notifications are not signed.
 * `misbehave` replaces the normal answer.
 */
export type YookassaHouse = AsyncDisposable & {
  url: string
  payments: Map<string, YookassaPayment>
  refunds: Refund[]
  sent: Sent[]
  faults: string[]
  shop: { isTest: boolean; needsReceipt: boolean; refundsAs: Refund['status'] }
  /** The number of coming POST requests that are executed but answered with status 500. */
  lostAnswers: number
  misbehave: ((request: IncomingMessage, reply: ServerResponse) => boolean) | null
  pay(id: string): YookassaPayment
  cancel(id: string, reason: string): YookassaPayment
  /** Makes a refund in YooKassa's web cabinet, so without an API call of the service. */
  refundInCabinet(paymentId: string, value: string, status?: Refund['status']): Refund
  event(event: string, object: object): string
}

export async function openYookassaHouse(clock: Clock): Promise<YookassaHouse> {
  const answers = new Map<string, Answer & { at: Date; words: string }>()
  let numbers = 0
  const idOf = (kind: string) => `${kind}-000f-5000-8000-${String(++numbers).padStart(12, '0')}`
  const house = {
    payments: new Map<string, YookassaPayment>(),
    refunds: [] as Refund[],
    sent: [] as Sent[],
    faults: [] as string[],
    shop: { isTest: false, needsReceipt: false, refundsAs: 'succeeded' as Refund['status'] },
    lostAnswers: 0,
    misbehave: null as YookassaHouse['misbehave'],
    pay(id: string) {
      const payment = requirePayment(id)
      Object.assign(payment, { status: 'succeeded', paid: true, refundable: true })
      payment.refunded_amount = { value: '0.00', currency: payment.amount.currency }
      delete payment.confirmation
      return payment
    },
    cancel(id: string, reason: string) {
      const payment = requirePayment(id)
      Object.assign(payment, { status: 'canceled', cancellation_details: { party: 'yoo_money', reason } })
      delete payment.confirmation
      return payment
    },
    refundInCabinet(payment_id: string, value: string, status: Refund['status'] = 'succeeded') {
      const { amount } = requirePayment(payment_id)
      return addRefund({ payment_id, amount: { ...amount, value }, status })
    },
    event: (event: string, object: object) => JSON.stringify({ type: 'notification', event, object }),
  }
  const server = await listenOnLoopback((request, reply) => {
    answer(request, reply).catch((error: unknown) => {
      house.faults.push(String(error))
      reply.destroy()
    })
  })

  function requirePayment(id: string): YookassaPayment {
    const payment = house.payments.get(id)
    if (payment === undefined) throw new Error(`there is no payment ${id}`)
    return payment
  }

  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const words = await text(request)
    if (house.misbehave?.(request, reply) === true) return
    const expected = `Basic ${Buffer.from(`${YOOKASSA_SHOP}:${YOOKASSA_KEY}`).toString('base64')}`
    if (request.headers.authorization !== expected) return send(reply, wrong(401, 'invalid_credentials'))
    for (const payment of house.payments.values()) expire(payment)
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://yookassa')
    const path = pathname.replace('/v3', '')
    const made = request.method === 'GET' ? get(path, searchParams) : repeatable(request, path, words)
    if (request.method === 'GET' || house.lostAnswers === 0) return send(reply, made)
    house.lostAnswers -= 1
    send(reply, wrong(500, 'internal_server_error'))
  }

  function expire(payment: YookassaPayment): void {
    const isOver = clock.now().getTime() - Date.parse(payment.created_at) > HOUR
    if (payment.status === 'pending' && isOver) house.cancel(payment.id, 'expired_on_confirmation')
  }

  function repeatable(request: IncomingMessage, path: string, words: string): Answer {
    const key = String(request.headers['idempotence-key'] ?? '')
    if (key === '' || key.length > 64) return wrong(400, 'invalid_request', 'Idempotence-Key')
    if (request.headers['content-type'] !== 'application/json') return wrong(415, 'unsupported_media_type')
    const body = JSON.parse(words) as Record<string, unknown>
    house.sent.push({ path, key, body })
    const before = answers.get(key)
    if (before !== undefined && clock.now().getTime() - before.at.getTime() < DAY) {
      // YooKassa does not document a repeated Idempotence-Key with another body, so the service must not send one.
      if (before.words !== words) house.faults.push(`other data with the key ${key}`)
      return before
    }
    const made = path === '/payments' ? createPayment(body) : createRefund(path, body)
    answers.set(key, { ...made, at: clock.now(), words })
    return made
  }

  function createPayment(body: Record<string, unknown>): Answer {
    const faults = faultsOfPayment(body, house.shop)
    if (faults !== null) return refuse(faults)
    const { amount, metadata, payment_method_data, confirmation, capture } = body as {
      amount: Money
      metadata: Record<string, string>
      payment_method_data: { type: string }
      confirmation: { return_url: string }
      capture?: boolean
    }
    if (capture !== true) house.faults.push('money that is held and never captured')
    const id = idOf('2d8f1b23')
    const confirmation_url = `https://yoomoney.ru/checkout/payments/v2/contract?orderId=${id}`
    const payment: YookassaPayment = {
      id,
      status: 'pending',
      paid: false,
      test: house.shop.isTest,
      amount,
      metadata,
      refundable: false,
      created_at: clock.now().toISOString(),
      payment_method: { ...payment_method_data, id, saved: false },
      confirmation: { type: 'redirect', return_url: confirmation.return_url, confirmation_url },
    }
    house.payments.set(id, payment)
    // A repeated Idempotence-Key gets the first reply unchanged, so the reply holds a copy of the payment.
    return { status: 200, body: structuredClone(payment) }
  }

  function createRefund(path: string, body: Record<string, unknown>): Answer {
    if (path !== '/refunds') return wrong(404, 'not_found')
    const { payment_id, amount, description } = body as { payment_id: string; amount: Money; description?: string }
    const payment = house.payments.get(payment_id)
    if (payment?.status !== 'succeeded') return wrong(400, 'invalid_request', 'payment_id')
    const faults = house.shop.needsReceipt || 'receipt' in body ? faultsOfReceipt(body.receipt, amount) : null
    if (faults !== null) return refuse(faults)
    const refunded = house.refunds.filter((one) => one.payment_id === payment_id && one.status !== 'canceled')
    const left = kopecks(payment.amount) - refunded.reduce((sum, one) => sum + kopecks(one.amount), 0)
    if (!(kopecks(amount) > 0 && kopecks(amount) <= left)) return wrong(400, 'invalid_request', 'amount')
    const status = house.shop.refundsAs
    const refund = addRefund({ payment_id, amount, status, ...(description !== undefined && { description }) })
    return { status: 200, body: structuredClone(refund) }
  }

  function addRefund(refund: Omit<Refund, 'id' | 'created_at'>): Refund {
    const made: Refund = { id: idOf('1ae31414'), created_at: clock.now().toISOString(), ...refund }
    if (made.status === 'canceled') made.cancellation_details = { party: 'yoo_money', reason: 'insufficient_funds' }
    house.refunds.push(made)
    return made
  }

  function get(path: string, query: URLSearchParams): Answer {
    const [, kind = '', id] = path.split('/')
    if (id === undefined) return kind === 'payments' || kind === 'refunds' ? list(kind, query) : wrong(404, 'not_found')
    const found = kind === 'payments' ? house.payments.get(id) : house.refunds.find((one) => one.id === id)
    return found === undefined ? wrong(404, 'not_found') : { status: 200, body: found }
  }

  function list(kind: 'payments' | 'refunds', query: URLSearchParams): Answer {
    const known = ['limit', 'cursor', 'created_at.gte', 'created_at.lte', ...(kind === 'refunds' ? ['payment_id'] : [])]
    for (const name of query.keys()) if (!known.includes(name)) return wrong(400, 'invalid_request', name)
    const limit = Number(query.get('limit') ?? '10')
    if (!(limit >= 1 && limit <= 100)) return wrong(400, 'invalid_request', 'limit')
    const [from, until] = [query.get('created_at.gte') ?? '', query.get('created_at.lte') ?? '9']
    const all: (YookassaPayment | Refund)[] = kind === 'payments' ? [...house.payments.values()] : house.refunds
    const found = all
      .filter(({ created_at }) => created_at >= from && created_at <= until)
      .filter((one) => !('payment_id' in one) || one.payment_id === query.get('payment_id'))
      .toReversed()
    const begin = Number(query.get('cursor') ?? '0')
    const next = begin + limit < found.length ? { next_cursor: String(begin + limit) } : {}
    return { status: 200, body: { type: 'list', items: found.slice(begin, begin + limit), ...next } }
  }

  return Object.assign(house, { url: `${server.url}/v3`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() })
}

function refuse({ parameter, description }: { parameter: string; description: string }): Answer {
  return wrong(400, 'invalid_request', parameter, description)
}

function wrong(status: number, code: string, parameter?: string, description = 'Something is wrong'): Answer {
  const id = 'ab5a11cd-13cc-4e33-af8b-75a74e18dd09'
  return { status, body: { type: 'error', id, code, description, ...(parameter !== undefined && { parameter }) } }
}

function send(reply: ServerResponse, { status, body }: Answer): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
