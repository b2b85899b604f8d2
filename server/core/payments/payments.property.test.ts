import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PaymentFacts, SeenReversal } from '#server/core/gateways/gateway.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { findAccount } from '#server/house/money/accounts.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import { collectDebt } from '#server/house/money/move-money.ts'
import { insertBonusRule } from '#server/programs/cli/queries/bonuses.ts'
import {
  anyPaymentStep,
  BONUS_POINTS,
  FEE_POINTS,
  PAYERS,
  type PaymentStep,
  PaymentsModel,
  RULES,
} from '#test/books/payments-model.ts'
import { expectRightBooks } from '#test/builders/payments.ts'
import { addFakeGateway, type FakeGateway, NOTHING_YET } from '#test/fakes/fake-gateway.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { randomRuns } from '#test/harness/random-runs.ts'
import { promiseBonus } from './bonus-rules.ts'
import { checkPayment } from './check-payment.ts'
import { findPayment, insertPayment } from './queries/payments.ts'
import { refundPayment } from './refund-payment.ts'
import { takeForRefund } from './settling/take-for-refund.ts'

const KOPECK = 10_000n

type Begun = { id: bigint; transactionId: string; asked: bigint[] }
type House = { t: TestApp; gateway: FakeGateway; users: number[]; payments: Begun[] }

let made = 0
const nextId = (): string => {
  made += 1
  return `made-${made}`
}

async function addRules(t: TestApp): Promise<void> {
  const now = t.clock.now()
  for (const rule of RULES) {
    await insertBonusRule(t.ctx.db, { ...rule, currency: 'rub', beginsAt: now, endsAt: null, now })
  }
}

async function openHouse(t: TestApp, gateway: FakeGateway): Promise<House> {
  const users = await Promise.all(Array.from({ length: PAYERS }, () => t.makeUser({ balance: '0.00' })))
  return { t, gateway, users: users.map(({ id }) => id), payments: [] }
}

async function run(house: House, step: PaymentStep): Promise<string> {
  const { t } = house
  const { db, clock } = t.ctx
  if (step.do === 'begin') return begin(house, step)
  if ('user' in step) {
    const userId = house.users[step.user] ?? 0
    if (step.do === 'collect') {
      await transaction(db, (tx) => collectDebt(tx, { userId, at: clock.now() }))
      return 'ok'
    }
    const amountMicros = BigInt(step.do === 'credit' ? step.kopecks : -step.kopecks) * KOPECK
    const moved = await adjustBalance(db, { userId, amountMicros, idempotencyKey: nextId(), at: clock.now() })
    return moved === null ? 'refused' : 'ok'
  }
  const payment = house.payments[step.target % Math.max(1, house.payments.length)]
  return payment === undefined ? 'ok' : change(house, payment, step)
}

async function begin(house: House, { user, kopecks }: Extract<PaymentStep, { do: 'begin' }>): Promise<string> {
  const { t, gateway } = house
  const transactionId = nextId()
  const now = t.clock.now()
  const row = await insertPayment(t.ctx.db, {
    transactionId,
    userId: house.users[user] ?? 0,
    gatewayId: gateway.id,
    system: 'fake',
    currency: 'rub',
    amountMicros: BigInt(kopecks) * KOPECK,
    feePoints: FEE_POINTS,
    bonusPoints: BONUS_POINTS,
    idempotencyKey: null,
    inputHash: null,
    network: null,
    openLimit: 1_000,
    now,
    nextCheckAt: null,
    expiresAt: new Date(now.getTime() + 1),
    ...(await promiseBonus(t.ctx.db, {
      userId: house.users[user] ?? 0,
      currency: 'rub',
      amountMicros: BigInt(kopecks) * KOPECK,
      now,
    })),
  })
  if (row === null) throw new Error('a payment was not inserted')
  house.payments.push({ id: row.id, transactionId, asked: [] })
  gateway.facts.set(transactionId, NOTHING_YET)
  return 'ok'
}

async function change(house: House, payment: Begun, step: Exclude<PaymentStep, { user: number }>): Promise<string> {
  const { t, gateway } = house
  const { id, transactionId, asked } = payment
  if (step.do === 'refund' || step.do === 'ask') {
    return refund(house, payment, { kopecks: step.kopecks, isAnswered: step.do === 'refund' })
  }
  if (step.do === 'answer' || step.do === 'refuse') {
    const reversalId = asked.shift()
    if (reversalId !== undefined) await answer(house, payment, { reversalId, isRefused: step.do === 'refuse' })
    return 'ok'
  }
  gateway.facts.set(transactionId, factsAfter(gateway.facts.get(transactionId) ?? NOTHING_YET, step))
  await checkPayment(t.ctx, id)
  await checkPayment(t.ctx, id)
  return 'ok'
}

function factsAfter(
  facts: PaymentFacts,
  step: Exclude<PaymentStep, { user: number } | { do: 'refund' | 'ask' }>,
): PaymentFacts {
  const ended = (from: SeenReversal['state'], state: SeenReversal['state']) => {
    const place = facts.reversals.findIndex((one) => one.state === from)
    return { ...facts, reversals: facts.reversals.map((one, at) => (at === place ? { ...one, state } : one)) }
  }
  switch (step.do) {
    case 'arrive': {
      const deposit = { providerId: nextId(), amountMicros: BigInt(step.kopecks) * KOPECK }
      return { ...facts, deposits: [...facts.deposits, deposit] }
    }
    case 'dispute': {
      const arrived = facts.deposits.reduce((total, { amountMicros }) => total + amountMicros, 0n)
      const wanted = BigInt(step.kopecks) * KOPECK
      if (arrived === 0n) return facts
      const amountMicros = wanted < arrived ? wanted : arrived
      return {
        ...facts,
        reversals: [...facts.reversals, { kind: 'dispute', providerId: nextId(), amountMicros, state: 'open' }],
      }
    }
    case 'win':
      return ended('open', 'won')
    case 'lose':
      return ended('open', 'lost')
    case 'fail':
      return ended('done', 'failed')
    default:
      return facts
  }
}

async function refund(
  house: House,
  payment: Begun,
  { kopecks, isAnswered }: { kopecks: number; isAnswered: boolean },
): Promise<string> {
  const { db, clock } = house.t.ctx
  const amountMicros = BigInt(kopecks) * KOPECK
  const taken = await transaction(db, (tx) =>
    takeForRefund(tx, { id: payment.id, amountMicros, state: 'asked', now: clock.now() }),
  )
  if (taken.outcome !== 'taken') return taken.outcome
  const { id: reversalId } = taken.reversal
  if (isAnswered) await answer(house, payment, { reversalId, isRefused: false })
  else payment.asked.push(reversalId)
  return 'ok'
}

async function answer(
  { t, gateway }: House,
  { transactionId }: Begun,
  { reversalId, isRefused }: { reversalId: bigint; isRefused: boolean },
): Promise<void> {
  const reference = reversalId.toString()
  if (isRefused) gateway.refused.add(reference)
  await refundPayment(t.ctx, { reversalId: reference })
  if (isRefused) return
  const { amountMicros } = gateway.refunds.find((one) => one.reference === reference) ?? { amountMicros: 0n }
  const facts = gateway.facts.get(transactionId) ?? NOTHING_YET
  const made: SeenReversal = { kind: 'refund', providerId: `refund-${reference}`, amountMicros, state: 'done' }
  gateway.facts.set(transactionId, { ...facts, reversals: [...facts.reversals, made] })
}

async function expectSame(house: House, model: PaymentsModel, said: string): Promise<void> {
  for (const [place, { available, debt }] of model.accounts.entries()) {
    const real = await findAccount(house.t.ctx.db, house.users[place] ?? 0)
    expect(real, said).toMatchObject({ availableMicros: available, debtMicros: debt, heldMicros: 0n })
  }
}

test('whatever arrives, is refunded or disputed in whatever order, every balance, debt and state is what the rules say', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  await addRules(t)
  const property = fc.asyncProperty(
    fc.array(anyPaymentStep, { minLength: 10, maxLength: 80, size: 'max' }),
    async (steps) => {
      const house = await openHouse(t, gateway)
      const model = new PaymentsModel()
      for (const step of steps) {
        const expected = model.take(step)
        expect(await run(house, step), JSON.stringify(step)).toBe(expected)
        await expectSame(house, model, JSON.stringify(step))
      }
      const rows = await Promise.all(house.payments.map(({ id }) => findPayment(t.ctx.db, id)))
      expect(rows.map((row) => (row?.state === 'created' ? 'pending' : row?.state))).toEqual(
        model.payments.map((payment) => model.stateOf(payment)),
      )
      await expectRightBooks(t)
    },
  )
  await fc.assert(property, { numRuns: randomRuns({ suite: 10, soak: 500 }) })
})

test('however much of it happens at the same time, the books are right', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  await addRules(t)
  const round = fc.array(anyPaymentStep, { minLength: 5, maxLength: 20, size: 'max' })
  const property = fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 5, size: 'max' }), async (rounds) => {
    const house = await openHouse(t, gateway)
    for (const steps of rounds) {
      const answers = await Promise.all(steps.map((step) => run(house, step)))
      for (const answer of answers) expect(['ok', 'refused', 'too-much', 'spent']).toContain(answer)
    }
    await expectRightBooks(t)
  })
  await fc.assert(property, { numRuns: randomRuns({ suite: 5, soak: 200 }) })
})
