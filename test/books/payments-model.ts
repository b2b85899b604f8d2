import fc from 'fast-check'
import { bonusOf, feeOf } from '#contract/formats/payment-terms.ts'

const KOPECK = 10_000n
export const FEE_POINTS = 350
export const BONUS_POINTS = 1_000
/** 20 % of the first top-up, 30.00 at most; 15.00 for one from 100.00 on. */
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

/** What a payer, a bank, staff or a crash may do. `target` picks one of the payments there are. */
export type PaymentStep =
  | { do: 'begin'; user: number; kopecks: number }
  | { do: 'arrive' | 'dispute' | 'refund'; target: number; kopecks: number }
  | { do: 'win' | 'lose' | 'fail' | 'recheck'; target: number }
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
    arbitrary: fc.record({ do: fc.constantFrom('arrive', 'arrive', 'arrive', 'dispute', 'refund'), target, kopecks }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('win', 'lose', 'fail', 'recheck'), target }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('credit', 'debit', 'debit'), user, kopecks }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('collect' as const), user }) },
)

type ModelReversal = {
  kind: 'refund' | 'dispute'
  state: 'done' | 'failed' | 'open' | 'won' | 'lost'
  micros: bigint
  bonus: bigint
}
export type ModelPayment = {
  owner: number
  asked: bigint
  arrived: bigint
  bonus: bigint
  hadBonus: boolean
  /** What was promised when it began. */
  rule: { name: RuleName; micros: bigint } | null
  reversals: ModelReversal[]
}

const isTaken = ({ state }: ModelReversal): boolean => state !== 'failed' && state !== 'won'
const sum = (values: bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** The rules of money that comes in and goes back, as a few lines of memory. */
export class PaymentsModel {
  readonly accounts = Array.from({ length: PAYERS }, () => ({ available: 0n, debt: 0n }))
  readonly payments: ModelPayment[] = []
  private readonly rules = new Map<number, { has: Map<RuleName, ModelPayment>; paid: boolean }>()
  private readonly whole = new Set<ModelPayment>()

  /** How the step ends: `ok`, or why it was refused. */
  take(step: PaymentStep): string {
    switch (step.do) {
      case 'begin': {
        const asked = BigInt(step.kopecks) * KOPECK
        const rule = this.promise(step.user, asked)
        this.payments.push({ owner: step.user, asked, arrived: 0n, bonus: 0n, hadBonus: false, rule, reversals: [] })
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
    switch (step.do) {
      case 'arrive':
        return this.arrive(payment, BigInt(step.kopecks) * KOPECK)
      case 'dispute':
        if (payment.arrived === 0n) return 'ok'
        return this.takeBack(payment, {
          kind: 'dispute',
          state: 'open',
          micros: least(payment.arrived, BigInt(step.kopecks) * KOPECK),
        })
      case 'refund':
        return this.refund(payment, BigInt(step.kopecks) * KOPECK)
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

  private arrive(payment: ModelPayment, micros: bigint): string {
    payment.arrived += micros
    this.account(payment.owner).available += micros - feeOf(micros, BigInt(FEE_POINTS))
    this.giveBonus(payment)
    this.repay(payment.owner)
    return 'ok'
  }

  private promise(owner: number, asked: bigint): ModelPayment['rule'] {
    const first = least((asked * 20n) / 100n, 30_000_000n)
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

  /** Whoever is whole first takes the rule, for good. Only the very first whole payment has that of the first. */
  private claim(payment: ModelPayment): void {
    const { has, paid } = this.given(payment.owner)
    const { rule } = payment
    if (rule !== null && !has.has(rule.name) && !(rule.name === 'first' && paid)) has.set(rule.name, payment)
    this.rules.set(payment.owner, { has, paid: true })
  }

  /** Once, and only while the whole sum is here. */
  private giveBonus(payment: ModelPayment): void {
    if (payment.arrived >= payment.asked && !this.whole.has(payment)) {
      this.whole.add(payment)
      this.claim(payment)
    }
    const kept = payment.arrived - sum(payment.reversals.filter(isTaken).map(({ micros }) => micros))
    if (payment.hadBonus || kept < payment.asked) return
    payment.hadBonus = true
    const { rule } = payment
    const hasRule = rule !== null && this.given(payment.owner).has.get(rule.name) === payment
    payment.bonus = bonusOf(payment.asked, BigInt(BONUS_POINTS)) + (hasRule ? rule.micros : 0n)
    this.account(payment.owner).available += payment.bonus
  }

  private refund(payment: ModelPayment, micros: bigint): string {
    const reversed = sum(payment.reversals.filter(isTaken).map((one) => one.micros))
    if (reversed + micros > payment.arrived) return 'too-much'
    if (micros + this.share(payment, micros) > this.account(payment.owner).available) return 'spent'
    return this.takeBack(payment, { kind: 'refund', state: 'done', micros })
  }

  private takeBack(payment: ModelPayment, seen: Omit<ModelReversal, 'bonus'>): string {
    const account = this.account(payment.owner)
    const bonus = this.share(payment, seen.micros)
    payment.reversals.push({ ...seen, bonus })
    account.available -= seen.micros + bonus
    if (account.available < 0n) {
      account.debt -= account.available
      account.available = 0n
    }
    this.repay(payment.owner)
    return 'ok'
  }

  /** Of the bonus, rounded up, less what went before. */
  private share({ arrived, bonus, reversals }: ModelPayment, micros: bigint): bigint {
    const taken = reversals.filter(isTaken)
    const reversed = least(arrived, sum(taken.map((one) => one.micros)) + micros)
    const due = (bonus * reversed + arrived - 1n) / arrived - sum(taken.map((one) => one.bonus))
    return due > 0n ? due : 0n
  }

  private end(payment: ModelPayment, { from, to }: { from: string; to: ModelReversal['state'] }): string {
    const found = payment.reversals.find(({ state }) => state === from)
    if (found === undefined) return 'ok'
    found.state = to
    if (to === 'lost') return 'ok'
    this.account(payment.owner).available += found.micros + found.bonus
    this.giveBonus(payment)
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
