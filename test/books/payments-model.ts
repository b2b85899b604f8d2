import fc from 'fast-check'
import { bonusOf, feeOf, wholeCents } from '#contract/formats/payment-terms.ts'

const KOPECK = 10_000n
export const FEE_POINTS = 350
export const BONUS_POINTS = 1_000
/** The bonus rules: 20 % (at most 30.00) for a first top-up, and 15.00 for a top-up of 100.00 or more. */
export const RULES = [
  { name: 'first', kind: 'first', leastMicros: 0n, points: 2_000, amountMicros: null, mostMicros: 30_000_000n },
  {
    name: 'above',
    kind: 'above',
    leastMicros: 100_000_000n,
    points: null,
    amountMicros: 15_000_000n,
    mostMicros: null,
  },
] as const
type RuleName = (typeof RULES)[number]['name']

/** A step of a payer, bank, staff or crash. `ask` requests a refund that stays open, and `refund` completes one. */
export type PaymentStep =
  | { do: 'begin'; user: number; kopecks: number }
  | { do: 'arrive' | 'dispute' | 'refund' | 'ask'; target: number; kopecks: number }
  | { do: 'answer' | 'refuse' | 'win' | 'lose' | 'fail' | 'recheck'; target: number }
  | { do: 'credit' | 'debit'; user: number; kopecks: number }
  | { do: 'collect'; user: number }

export const PAYERS = 2

const user = fc.nat({ max: PAYERS - 1 })
const target = fc.nat({ max: 20 })
const kopecks = fc.integer({ min: 1, max: 30_000 })

export const anyPaymentStep: fc.Arbitrary<PaymentStep> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('begin' as const), user, kopecks }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('arrive', 'arrive', 'arrive', 'dispute', 'refund', 'ask'),
      target,
      kopecks,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom('answer', 'refuse', 'win', 'lose', 'fail', 'recheck'), target }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('credit', 'debit', 'debit'), user, kopecks }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('collect' as const), user }) },
)

type ModelReversal = {
  kind: 'refund' | 'dispute'
  state: 'asked' | 'done' | 'failed' | 'open' | 'won' | 'lost'
  micros: bigint
}
export type ModelPayment = {
  owner: number
  asked: bigint
  arrived: bigint
  fee: bigint
  /** The bonus given for the payment, part of which may have been taken back. */
  bonus: bigint
  hadBonus: boolean
  rule: { name: RuleName; micros: bigint } | null
  reversals: ModelReversal[]
}

const isTaken = ({ state }: ModelReversal): boolean => state !== 'failed' && state !== 'won'
const sum = (values: bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const reversedOf = ({ reversals }: ModelPayment): bigint => sum(reversals.filter(isTaken).map(({ micros }) => micros))

/**
 * Returns the value of a payment: the money not reversed, less its fee, plus the bonus in proportion to what is left
 * of the requested sum.
 */
function worthOf(payment: ModelPayment): bigint {
  const { asked, arrived, fee } = payment
  const reversed = reversedOf(payment)
  const kept = arrived > reversed ? arrived - reversed : 0n
  const bonus = wholeCents((payment.bonus * least(kept, asked)) / asked)
  const feeBack = arrived === 0n ? 0n : wholeCents((fee * (arrived - kept)) / arrived)
  return arrived - reversed - fee + feeBack + bonus
}

/** A model of the rules of incoming and returned money, in memory. */
export class PaymentsModel {
  readonly accounts = Array.from({ length: PAYERS }, () => ({ available: 0n, debt: 0n }))
  readonly payments: ModelPayment[] = []
  private readonly rules = new Map<number, { has: Map<RuleName, ModelPayment>; paid: boolean }>()
  private readonly whole = new Set<ModelPayment>()

  take(step: PaymentStep): string {
    switch (step.do) {
      case 'begin': {
        const asked = BigInt(step.kopecks) * KOPECK
        const rule = this.promise(step.user, asked)
        const money = { asked, arrived: 0n, fee: 0n, bonus: 0n }
        this.payments.push({ owner: step.user, ...money, hadBonus: false, rule, reversals: [] })
        return 'ok'
      }
      case 'credit':
      case 'debit':
        return this.adjust(step.user, BigInt(step.do === 'credit' ? step.kopecks : -step.kopecks) * KOPECK)
      case 'collect':
        this.repay(step.user)
        return 'ok'
      default: {
        const payment = this.payments[step.target % Math.max(1, this.payments.length)]
        return payment === undefined ? 'ok' : this.change(payment, step)
      }
    }
  }

  stateOf({ asked, arrived, reversals }: ModelPayment): string {
    if (arrived === 0n) return 'pending'
    const taken = (kind: string) =>
      sum(reversals.filter((one) => one.kind === kind && isTaken(one)).map(({ micros }) => micros))
    if (taken('dispute') > 0n) return 'disputed'
    if (taken('refund') >= arrived) return 'refunded'
    return arrived >= asked ? 'paid' : 'partial'
  }

  private change(payment: ModelPayment, step: Exclude<PaymentStep, { user: number }>): string {
    const micros = 'kopecks' in step ? BigInt(step.kopecks) * KOPECK : 0n
    switch (step.do) {
      case 'arrive':
        return this.move(payment, () => {
          payment.arrived += micros
          payment.fee = feeOf(payment.arrived, BigInt(FEE_POINTS))
        })
      case 'dispute': {
        if (payment.arrived === 0n) return 'ok'
        const disputed = { kind: 'dispute', state: 'open', micros: least(payment.arrived, micros) } as const
        return this.move(payment, () => payment.reversals.push(disputed))
      }
      case 'refund':
        return this.refund(payment, { kind: 'refund', state: 'done', micros })
      case 'ask':
        return this.refund(payment, { kind: 'refund', state: 'asked', micros })
      case 'answer':
        return this.end(payment, { from: 'asked', to: 'done' })
      case 'refuse':
        return this.end(payment, { from: 'asked', to: 'failed' })
      case 'win':
        return this.end(payment, { from: 'open', to: 'won' })
      case 'lose':
        return this.end(payment, { from: 'open', to: 'lost' })
      case 'fail':
        return this.end(payment, { from: 'done', to: 'failed' })
      default:
        return 'ok'
    }
  }

  private refund(payment: ModelPayment, reversal: ModelReversal): string {
    if (reversedOf(payment) + reversal.micros > payment.arrived) return 'too-much'
    const taken = worthOf(payment) - worthOf({ ...payment, reversals: [...payment.reversals, reversal] })
    if (taken > this.account(payment.owner).available) return 'spent'
    return this.move(payment, () => payment.reversals.push(reversal))
  }

  private end(payment: ModelPayment, { from, to }: Record<'from' | 'to', ModelReversal['state']>): string {
    const found = payment.reversals.find(({ state }) => state === from)
    if (found === undefined) return 'ok'
    if (to === 'lost' || to === 'done') {
      // Refunds are listed in the order in which the gateway made them.
      payment.reversals = [...payment.reversals.filter((one) => one !== found), { ...found, state: to }]
      return 'ok'
    }
    return this.move(payment, () => {
      found.state = to
    })
  }

  private promise(owner: number, asked: bigint): ModelPayment['rule'] {
    const first = least(bonusOf(asked, 2_000n), 30_000_000n)
    const above = asked >= 100_000_000n ? 15_000_000n : 0n
    const { has, paid } = this.given(owner)
    const choices = [
      { name: 'first', micros: has.has('first') || paid ? 0n : first },
      { name: 'above', micros: has.has('above') ? 0n : above },
    ] as const
    const best = choices[1].micros > choices[0].micros ? choices[1] : choices[0]
    return best.micros === 0n ? null : best
  }

  private given(owner: number) {
    const known = this.rules.get(owner) ?? { has: new Map<RuleName, ModelPayment>(), paid: false }
    this.rules.set(owner, known)
    return known
  }

  /**
   * A user's first full payment under a rule uses the rule up. Only the user's very first full payment gets the rule
   * `first`.
   */
  private claim(payment: ModelPayment): void {
    const { has, paid } = this.given(payment.owner)
    const { rule } = payment
    if (rule !== null && !has.has(rule.name) && !(rule.name === 'first' && paid)) has.set(rule.name, payment)
    this.rules.set(payment.owner, { has, paid: true })
  }

  /** Gives the bonus once, and only if the full sum arrived and nothing of it was reversed. */
  private giveBonus(payment: ModelPayment): void {
    if (payment.arrived >= payment.asked && !this.whole.has(payment)) {
      this.whole.add(payment)
      this.claim(payment)
    }
    const kept = payment.arrived - reversedOf(payment)
    if (payment.hadBonus || kept < payment.asked) return
    payment.hadBonus = true
    const { rule } = payment
    const hasRule = rule !== null && this.given(payment.owner).has.get(rule.name) === payment
    payment.bonus = bonusOf(payment.asked, BigInt(BONUS_POINTS)) + (hasRule ? rule.micros : 0n)
  }

  /** Changes the account by the change in the payment's value. A negative balance becomes debt. */
  private move(payment: ModelPayment, change: () => unknown): string {
    const account = this.account(payment.owner)
    const before = worthOf(payment)
    change()
    this.giveBonus(payment)
    account.available += worthOf(payment) - before
    if (account.available < 0n) {
      account.debt -= account.available
      account.available = 0n
    }
    this.repay(payment.owner)
    return 'ok'
  }

  private adjust(owner: number, micros: bigint): string {
    const account = this.account(owner)
    if (account.available + micros < 0n) return 'refused'
    account.available += micros
    return 'ok'
  }

  private repay(owner: number): void {
    const account = this.account(owner)
    const owed = least(account.debt, account.available)
    account.debt -= owed
    account.available -= owed
  }

  private account(owner: number) {
    const account = this.accounts[owner]
    if (account === undefined) throw new Error('there is no such user')
    return account
  }
}
