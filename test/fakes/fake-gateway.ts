import { createHmac } from 'node:crypto'
import { MINUTE } from '#contract/time.ts'
import type {
  Begun,
  Gateway,
  KnownPayment,
  PaymentFacts,
  PaymentOrder,
  PaymentSystem,
  RefundOrder,
  RefundOutcome,
  RefusedPayment,
} from '#server/core/gateways/gateway.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import { insertGateway } from '#server/programs/cli/queries/gateways.ts'
import type { TestApp } from '#test/harness/harness.ts'

export const NOTHING_YET: PaymentFacts = { progress: 'pending', deposits: [], reversals: [] }

const SYSTEM: PaymentSystem = {
  key: 'fake',
  form: 'redirect',
  mark: 'card',
  names: { en: 'Fake card', ru: 'Ненастоящая карта' },
  limits: {
    rub: { minMicros: 10_000_000n, maxMicros: 100_000_000_000n },
    usd: { minMicros: 1_000_000n, maxMicros: 1_000_000_000n },
  },
  feePoints: 0,
  feeBorneBy: 'payer',
  bonusPoints: 0,
  minutes: 1,
  lifetimeMs: 20 * MINUTE,
  isCard: true,
  firstDays: { days: 7, mostMicros: { rub: 1_000_000_000_000n } },
}

/** A payment gateway that records its requests and answers as the test sets: late, wrong or not at all. */
export type FakeGateway = Gateway & {
  system: PaymentSystem
  orders: PaymentOrder[]
  asked: KnownPayment[]
  refunds: RefundOrder[]
  refused: Set<string>
  facts: Map<string, PaymentFacts>
  onBegin: (order: PaymentOrder, signal: AbortSignal) => Promise<Begun | RefusedPayment>
  onFetch: (payment: KnownPayment, signal: AbortSignal) => Promise<PaymentFacts | null>
  onRefund: (order: RefundOrder) => Promise<RefundOutcome>
  onFindRefund: (order: RefundOrder) => Promise<RefundOutcome | null>
  /** Sends a webhook over the real socket. `body` and `signature` forge it. */
  send(
    t: TestApp,
    event: { event: string; transaction?: string; provider?: string },
    forged?: Forged,
  ): Promise<Response>
}
type Forged = { body?: Buffer; signature?: string; from?: string }

const SIGNATURE = 'fake-signature'
const SECRET = 'a secret of the fake gateway'

export async function addFakeGateway(t: TestApp, code = 'fake'): Promise<FakeGateway> {
  const id = await insertGateway(t.ctx.db, { code, kind: 'fake', settings: {}, now: t.clock.now() })
  if (id === null) throw new Error(`there is already a gateway ${code}`)
  const gateway = fakeGateway(id, code)
  gatewaysOf(t.ctx).put({ gateway, settingsVersion: 1, isPaused: false })
  return gateway
}

function fakeGateway(id: number, code: string): FakeGateway {
  const system = { ...SYSTEM, key: code }
  const fake: FakeGateway = {
    id,
    code,
    system,
    systems: [system],
    orders: [],
    asked: [],
    refunds: [],
    refused: new Set<string>(),
    facts: new Map<string, PaymentFacts>(),
    onBegin: async ({ transactionId }) => ({
      outcome: 'begun',
      providerId: providerIdOf(transactionId),
      guidance: { form: 'redirect', url: `https://pay.example/${transactionId}` },
    }),
    onFetch: async ({ transactionId }) => fake.facts.get(transactionId) ?? NOTHING_YET,
    onRefund: async ({ reference }) =>
      fake.refused.has(reference)
        ? { outcome: 'refused', reason: 'not possible' }
        : { outcome: 'done', providerId: `refund-${reference}` },
    onFindRefund: async () => null,
    findRefund: (order) => fake.onFindRefund(order),
    begin: (order, signal) => {
      fake.orders.push(order)
      return fake.onBegin(order, signal)
    },
    fetch: (payment, signal) => {
      fake.asked.push(payment)
      return fake.onFetch(payment, signal)
    },
    refund: (order) => {
      fake.refunds.push(order)
      return fake.onRefund(order)
    },
    readEvent: ({ headers, body }) => {
      if (headers[SIGNATURE] !== sign(body)) return null
      const { event, transaction, provider } = JSON.parse(body.toString()) as Record<string, string>
      return {
        eventId: event ?? '',
        ...(transaction && { transactionId: transaction }),
        ...(provider && { providerId: provider }),
      }
    },
    send: (t, event, { body = eventOf(event).body, signature = sign(body), from } = {}) =>
      t.fetch(`/gateways/${code}/events`, {
        method: 'POST',
        body: new Uint8Array(body),
        headers: {
          'content-type': 'application/json',
          [SIGNATURE]: signature,
          ...(from !== undefined && { 'x-forwarded-for': from }),
        },
      }),
  }
  return fake
}

export function providerIdOf(transactionId: string): string {
  return `p-${transactionId}`
}

export function eventOf(event: object): { body: Buffer; headers: Record<string, string> } {
  const body = Buffer.from(JSON.stringify(event))
  return { body, headers: { [SIGNATURE]: sign(body) } }
}

/** Returns a payment whose deposits arrived. Each deposit has the gateway's id and an amount in kopecks or cents. */
export function arrived(...deposits: [providerId: string, cents: number][]): PaymentFacts {
  return {
    ...NOTHING_YET,
    deposits: deposits.map(([providerId, cents]) => ({ providerId, amountMicros: BigInt(cents) * 10_000n })),
  }
}

function sign(body: Buffer): string {
  return createHmac('sha256', SECRET).update(body).digest('hex')
}
