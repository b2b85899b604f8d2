import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'
import type { Clock } from '#server/house/clock.ts'
import { listenOnLoopback } from './loopback-server.ts'

export const STRIPE_KEY = 'sk_test_abc123'
export const STRIPE_SECRET = 'whsec_first'

/** A payment intent of Stripe. Its latest charge is sent as an id, unless the request asks to expand it. */
type Intent = {
  id: string
  amount_received: number
  status: string
  metadata: Record<string, string>
  fingerprint?: string
}
type Session = {
  id: string
  client_reference_id: string
  currency: string
  amount: number
  expires_at: number
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid'
  intent: Intent | null
  metadata: Record<string, string>
}
type Refund = { id: string; payment_intent: string; amount: number; status: string; metadata?: Record<string, string> }
type Dispute = { id: string; payment_intent: string; amount: number; status: string }

/**
 * Plays Stripe by its documentation (docs.stripe.com/api), and checks requests: form bodies with brackets, one answer
 * per Idempotency-Key, errors as JSON. `misbehave` replaces the normal answer.
 */
export type StripeHouse = AsyncDisposable & {
  url: string
  sessions: Map<string, Session>
  refunds: Refund[]
  disputes: Dispute[]
  faults: string[]
  created: number
  /** Forgets the idempotency keys, as Stripe does after a day, so that a repeated key counts as new. */
  forgetKeys(): void
  misbehave: ((request: IncomingMessage, reply: ServerResponse) => boolean) | null
  pay(sessionId: string, cents?: number, fingerprint?: string): string
  event(
    type: string,
    object: object,
    more?: { secret?: string; at?: Date },
  ): { body: string; headers: Record<string, string> }
}

export async function openStripeHouse(clock: Clock): Promise<StripeHouse> {
  const answers = new Map<string, { params: string; status: number; body: unknown }>()
  let events = 0
  const house = {
    sessions: new Map<string, Session>(),
    refunds: [] as Refund[],
    disputes: [] as Dispute[],
    faults: [] as string[],
    created: 0,
    forgetKeys: () => answers.clear(),
    misbehave: null as StripeHouse['misbehave'],
    pay(sessionId: string, cents?: number, fingerprint = `card of ${sessionId}`) {
      const session = house.sessions.get(sessionId)
      if (session === undefined) throw new Error(`there is no session ${sessionId}`)
      const id = `pi_${sessionId}`
      const amount_received = cents ?? session.amount
      session.intent = { id, amount_received, status: 'succeeded', metadata: session.metadata, fingerprint }
      session.status = 'complete'
      session.payment_status = 'paid'
      return id
    },
    event(
      type: string,
      object: object,
      { secret = STRIPE_SECRET, at = clock.now() }: { secret?: string; at?: Date } = {},
    ) {
      events += 1
      const body = JSON.stringify({ id: `evt_${events}`, object: 'event', type, data: { object } })
      const timestamp = Math.floor(at.getTime() / 1000)
      const signature = new Stripe(STRIPE_KEY).webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
      return { body, headers: { 'content-type': 'application/json', 'stripe-signature': signature } }
    },
  }
  const server = await listenOnLoopback((request, reply) => {
    answer(request, reply).catch((error: unknown) => {
      house.faults.push(String(error))
      reply.destroy()
    })
  })

  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const params = await text(request)
    if (request.headers.authorization !== `Bearer ${STRIPE_KEY}`) house.faults.push('no secret key')
    if (house.misbehave?.(request, reply) === true) return
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stripe')
    if (request.method === 'GET') return send(reply, get(pathname, searchParams))
    const key = String(request.headers['idempotency-key'] ?? '')
    if (key === '' || key.length > 255) house.faults.push(`a POST with the key "${key}"`)
    if (request.headers['content-type'] !== 'application/x-www-form-urlencoded') house.faults.push('not a form')
    const before = answers.get(key)
    if (before !== undefined) {
      if (before.params === params) return send(reply, before)
      return send(
        reply,
        wrong('Keys for idempotent requests can only be used with the same parameters', 'idempotency_error'),
      )
    }
    const made = post(pathname, new URLSearchParams(params))
    answers.set(key, { ...made, params })
    send(reply, made)
  }

  function post(path: string, form: URLSearchParams): { status: number; body: unknown } {
    if (path === '/v1/checkout/sessions') return createSession(form)
    if (path === '/v1/refunds') return createRefund(form)
    if (path.endsWith('/expire')) return expire(path.split('/')[4] ?? '')
    return wrong(`Unrecognized request URL (POST: ${path})`)
  }

  function createSession(form: URLSearchParams) {
    const read = (name: string) => form.get(name) ?? ''
    const cents = Number(read('line_items[0][price_data][unit_amount]'))
    const expires_at = Number(read('expires_at'))
    const inMinutes = (expires_at - clock.now().getTime() / 1000) / 60
    const reference = read('client_reference_id')
    if (read('mode') !== 'payment' || read('line_items[0][quantity]') !== '1') return wrong('mode or quantity')
    if (!Number.isInteger(cents) || cents < 50) return wrong('Amount must convert to at least 50 cents')
    if (!(inMinutes >= 30 && inMinutes <= 1440)) return wrong('expires_at is 30 minutes to 24 hours away')
    for (const name of ['metadata[transaction_id]', 'payment_intent_data[metadata][transaction_id]'])
      if (read(name) !== reference) house.faults.push(`${name} is ${read(name)}`)
    for (const name of ['success_url', 'cancel_url']) if (!URL.canParse(read(name))) return wrong(`${name} is no URL`)
    house.created += 1
    const session: Session = {
      id: `cs_test_${house.created}`,
      client_reference_id: reference,
      expires_at,
      amount: cents,
      currency: read('line_items[0][price_data][currency]'),
      status: 'open',
      payment_status: 'unpaid',
      intent: null,
      metadata: { transaction_id: reference },
    }
    house.sessions.set(session.id, session)
    return { status: 200, body: show(session) }
  }

  function expire(id: string) {
    const session = house.sessions.get(id)
    if (session?.status !== 'open') return wrong('Only Checkout Sessions with a status in ["open"] can be expired.')
    session.status = 'expired'
    return { status: 200, body: show(session) }
  }

  function createRefund(form: URLSearchParams) {
    const [payment_intent, amount] = [form.get('payment_intent') ?? '', Number(form.get('amount'))]
    const paid = [...house.sessions.values()].find(({ intent }) => intent?.id === payment_intent)?.intent
      ?.amount_received
    const before = house.refunds.filter((one) => one.payment_intent === payment_intent && one.status !== 'failed')
    if (paid === undefined || amount > paid - before.reduce((sum, one) => sum + one.amount, 0))
      return wrong('Refund amount is greater than unrefunded amount on charge')
    const metadata = { reference: form.get('metadata[reference]') ?? '' }
    const refund = { id: `re_${house.refunds.length + 1}`, payment_intent, amount, status: 'succeeded', metadata }
    house.refunds.push(refund)
    return { status: 200, body: { object: 'refund', ...refund } }
  }

  function get(path: string, query: URLSearchParams): { status: number; body: unknown } {
    const session = house.sessions.get(path.replace('/v1/checkout/sessions/', ''))
    if (session !== undefined) return { status: 200, body: show(session, query.get('expand[0]')) }
    const ofIntent = (one: { payment_intent: string }) => one.payment_intent === query.get('payment_intent')
    const lists: Record<string, readonly { payment_intent: string }[]> = {
      '/v1/refunds': house.refunds,
      '/v1/disputes': house.disputes,
    }
    const found = lists[path]
    if (found === undefined)
      return { status: 404, body: { error: { type: 'invalid_request_error', message: 'No such session' } } }
    return { status: 200, body: { object: 'list', has_more: false, data: found.filter(ofIntent) } }
  }

  return Object.assign(house, { url: server.url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() })
}

function show({ intent, ...session }: Session, expand: string | null = null): object {
  const payment_intent = intent === null ? null : showIntent(intent, expand)
  const url = session.status === 'open' ? `https://checkout.stripe.com/c/pay/${session.id}` : null
  return { object: 'checkout.session', ...session, url, payment_intent }
}

function showIntent({ fingerprint, ...intent }: Intent, expand: string | null): object | string {
  if (expand === 'payment_intent') return { ...intent, latest_charge: `ch_${intent.id}` }
  if (expand !== 'payment_intent.latest_charge') return intent.id
  const charge = { id: `ch_${intent.id}`, object: 'charge', payment_method_details: { card: { fingerprint } } }
  return { ...intent, latest_charge: charge }
}

function wrong(message: string, type = 'invalid_request_error'): { status: number; body: unknown } {
  return { status: 400, body: { error: { type, message } } }
}

function send(reply: ServerResponse, { status, body }: { status: number; body: unknown }): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
