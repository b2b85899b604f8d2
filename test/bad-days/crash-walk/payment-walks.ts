import { expect } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import type { PaymentFacts, SeenReversal } from '#server/core/gateways/gateway.ts'
import { takeEvent } from '#server/core/payments/events/take-event.ts'
import { storeEvents } from '#server/core/payments/queries/events.ts'
import { lockPayment } from '#server/core/payments/queries/payments.ts'
import { queueRefund } from '#server/core/payments/queries/refunds.ts'
import { insertVouchers } from '#server/core/payments/queries/vouchers.ts'
import { reconcilePayments } from '#server/core/payments/reconcile.ts'
import { hashVoucher } from '#server/core/payments/redeem-voucher.ts'
import { refundPayment } from '#server/core/payments/refund-payment.ts'
import { takeForRefund } from '#server/core/payments/settling/take-for-refund.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import { arrived, eventOf, NOTHING_YET } from '#test/fakes/fake-gateway.ts'
import { type Buyer, newBuyer, newKey } from './orders.ts'
import { attempt, type Walk } from './walk.ts'
import { type Answer, ask, settleDown, type World } from './world.ts'

const AMOUNT = '500.00'
const CENTS = 50_000

export type Paying = Buyer & { id: bigint; transaction: string; event: string }
type Sum = { state: string; available: string; debt: string }

let events = 0
let codes = 0

const begin = (world: World, { client, key }: Buyer) =>
  ask(world, client, 'POST /api/v1/payments', { system: 'fake', amount: AMOUNT, key })

/** Begins a payment of a person without money, and makes sure that no other payment is due. */
export async function begun(world: World): Promise<Paying> {
  await world.t.ctx.db.query({ name: 'walk-none-due', text: 'UPDATE payments SET next_check_at = NULL' })
  const buyer = await newBuyer(world, '0')
  await begin(world, buyer)
  const { rows } = await world.t.ctx.db.query<{ id: bigint; transaction_id: string }>({
    name: 'walk-payment',
    text: 'SELECT id, transaction_id FROM payments WHERE user_id = $1',
    values: [buyer.client.id],
  })
  const [row] = rows
  if (row === undefined) throw new Error('there is no payment')
  events += 1
  return { ...buyer, key: newKey(), id: row.id, transaction: row.transaction_id, event: `walk event ${events}` }
}

export function tell(world: World, { transaction: id }: Paying, facts: PaymentFacts): void {
  world.gateway.facts.set(id, facts)
}

export const all = ({ transaction: id }: Paying, reversals: SeenReversal[] = []): PaymentFacts => ({
  ...arrived([`d-${id}`, CENTS]),
  reversals,
})

/** Begins a payment and pays it in full: the gateway has reported it, and the money is on the account. */
export async function paid(world: World): Promise<Paying> {
  const paying = await begun(world)
  tell(world, paying, all(paying))
  await webhook(world, paying)
  await world.life.ctx.background.idle()
  events += 1
  return { ...paying, event: `walk event ${events}` }
}

export function webhook(world: World, { transaction: id, event }: Paying): Promise<Answer | null> {
  const raw = eventOf({ event, transaction: id })
  const { ctx } = world.life
  const from = { address: '127.0.0.1', network: '127.0.0.1', receivedAt: ctx.clock.now(), code: 'fake' }
  return attempt(world, () => takeEvent(ctx, { ...raw, ...from }))
}

async function sumOf({ t }: World, { client }: Buyer): Promise<Sum> {
  const { rows } = await t.ctx.db.query<Sum>({
    name: 'walk-payment-sum',
    text: `SELECT string_agg(p.state, ' ' ORDER BY p.id) AS state, (a.available_micros / 10000)::text AS available,
        (a.debt_micros / 10000)::text AS debt
      FROM accounts a LEFT JOIN payments p USING (user_id) WHERE a.user_id = $1 GROUP BY a.user_id`,
    values: [client.id],
  })
  return rows[0] ?? { state: '', available: '', debt: '' }
}

export const endsWith = (sum: Sum) => async (world: World, given: Buyer) =>
  expect(await sumOf(world, given)).toEqual(sum)

const PAID = { state: 'paid', available: '50000', debt: '0' }

const comingIn: Walk<Paying>[] = [
  {
    name: 'a webhook of money that has come',
    async given(world) {
      const paying = await begun(world)
      tell(world, paying, all(paying))
      return paying
    },
    act: webhook,
    after: endsWith(PAID),
  },
  {
    name: 'money that no webhook told of',
    async given(world) {
      const paying = await begun(world)
      tell(world, paying, all(paying))
      world.t.clock.advance(MINUTE)
      return paying
    },
    act: (world) => attempt(world, () => reconcilePayments(world.life.ctx)),
    after: endsWith(PAID),
  },
  {
    name: 'a webhook that was stored and no more',
    async given(world) {
      const paying = await begun(world)
      tell(world, paying, all(paying))
      const { event: eventId, transaction: transactionId } = paying
      const from = { gatewayId: world.gateway.id, address: '127.0.0.1', receivedAt: world.t.clock.now() }
      const raw = eventOf({ event: eventId, transaction: transactionId })
      const { db } = world.t.ctx
      // The event stays in the state `stored`, because a transaction locks the payment.
      const taken = await transaction(db, async (tx) => {
        await lockPayment(tx, paying.id)
        return storeEvents(db, [{ ...from, ...raw, read: { eventId, transactionId }, checkAt: from.receivedAt }])
      })
      expect(taken).toMatchObject([{ state: 'stored' }])
      world.t.clock.advance(MINUTE)
      return paying
    },
    act: (world) => attempt(world, () => reconcilePayments(world.life.ctx)),
    after: endsWith(PAID),
  },
  {
    name: 'a payment that its gateway does not answer about',
    async given(world) {
      const paying = await begun(world)
      world.gateway.onFetch = () => Promise.reject(new Error('not now'))
      world.t.clock.advance(MINUTE)
      return paying
    },
    act: (world) => attempt(world, () => reconcilePayments(world.life.ctx)),
    async after(world, paying) {
      calm(world)
      tell(world, paying, all(paying))
      world.t.clock.advance(10 * MINUTE)
      await settleDown(world)
      await reconcilePayments(world.life.ctx)
      await endsWith(PAID)(world, paying)
    },
  },
  {
    name: 'a payment that is closed',
    given: begun,
    act: (world, { client, transaction: id }) => ask(world, client, `POST /api/v1/payments/${id}/cancel`),
    refusals: ['PAYMENT_ENDED'],
    after: endsWith({ state: 'expired', available: '0', debt: '0' }),
  },
]

export const dispute = (state: SeenReversal['state'], { transaction: id }: Paying): SeenReversal => ({
  kind: 'dispute',
  state,
  providerId: `dispute-${id}`,
  amountMicros: BigInt(CENTS) * 10_000n,
})

async function spend({ t }: World, { client }: Buyer, cents: number): Promise<void> {
  const at = t.clock.now()
  await adjustBalance(t.ctx.db, {
    userId: client.id,
    amountMicros: -BigInt(cents) * 10_000n,
    idempotencyKey: 'spent',
    at,
  })
}

const goingBack: Walk<Paying>[] = [
  {
    name: 'a dispute of money that was spent',
    async given(world) {
      const paying = await paid(world)
      await spend(world, paying, 40_000)
      tell(world, paying, all(paying, [dispute('open', paying)]))
      return paying
    },
    act: webhook,
    after: endsWith({ state: 'disputed', available: '0', debt: '40000' }),
  },
  {
    name: 'a debt that money which came back pays',
    async given(world) {
      const paying = await paid(world)
      await spend(world, paying, 40_000)
      tell(world, paying, all(paying, [dispute('open', paying)]))
      await webhook(world, paying)
      await world.life.ctx.background.idle()
      const at = world.t.clock.now()
      await adjustBalance(world.t.ctx.db, {
        userId: paying.client.id,
        amountMicros: 500_000_000n,
        idempotencyKey: 'back',
        at,
      })
      return paying
    },
    act: (world) => attempt(world, () => reconcilePayments(world.life.ctx)),
    after: endsWith({ state: 'disputed', available: '10000', debt: '0' }),
  },
  {
    name: 'a refund that the gateway is asked for',
    given: refunding,
    act: (world, { reversalId }: Paying & { reversalId?: string }) =>
      attempt(world, () => refundPayment(world.life.ctx, { reversalId })),
    after: endsWith({ state: 'paid', available: '40000', debt: '0' }),
  },
  {
    name: 'a refund that the gateway refuses',
    async given(world) {
      const paying = await refunding(world)
      world.gateway.onRefund = async () => ({ outcome: 'refused', reason: 'no funds' })
      return paying
    },
    act: (world, { reversalId }: Paying & { reversalId?: string }) =>
      attempt(world, () => refundPayment(world.life.ctx, { reversalId })),
    async after(world, paying) {
      calm(world)
      await endsWith(PAID)(world, paying)
    },
  },
]

async function refunding(world: World): Promise<Paying & { reversalId: string }> {
  const paying = await paid(world)
  calm(world)
  const { db } = world.t.ctx
  const now = world.t.clock.now()
  const reversalId = await transaction(db, async (tx) => {
    const taken = await takeForRefund(tx, { id: paying.id, amountMicros: 100_000_000n, state: 'asked', now })
    if (taken.outcome !== 'taken') throw new Error(taken.outcome)
    await queueRefund(tx, taken.reversal.id)
    return taken.reversal.id.toString()
  })
  return { ...paying, reversalId }
}

function calm({ gateway }: World): void {
  gateway.onFetch = async ({ transactionId }) => gateway.facts.get(transactionId) ?? NOTHING_YET
  gateway.onRefund = async ({ reference }) => ({ outcome: 'done', providerId: `refund-${reference}` })
}

const beginning: Walk<Buyer>[] = [
  {
    name: 'a payment that is begun',
    given: (world) => newBuyer(world, '0'),
    act: begin,
    keyed: true,
    async after(world, buyer) {
      const { state } = await sumOf(world, buyer)
      expect(['pending', 'expired']).toContain(state)
      await settleDown(world)
    },
  },
  {
    name: 'a voucher',
    async given(world) {
      const buyer = await newBuyer(world, '0')
      codes += 1
      const code = `WALK${String(codes).padStart(12, '0')}`
      const { db, clock } = world.t.ctx
      const made = { gatewayId: world.gateway.id, amountMicros: 500_000_000n, currency: 'rub', batch: 'walk' } as const
      await insertVouchers(db, { ...made, codeHashes: [hashVoucher(code)], now: clock.now(), expiresAt: null })
      return { ...buyer, key: code }
    },
    act: (world, { client, key }) => ask(world, client, 'POST /api/v1/vouchers', { code: key }),
    refusals: ['VOUCHER_SPENT'],
    after: endsWith(PAID),
  },
]

export const paymentWalks = [...beginning, ...comingIn, ...goingBack] as readonly Walk[]
