import fc from 'fast-check'
import type { Currency } from '#contract/money.ts'
import { SECOND } from '#contract/time.ts'
import { PlayModel, type PlayStep } from './play-model.ts'
import { PreorderModel } from './preorder-model.ts'

/** A step of a person, a supplier or the clock. `user` is the caller, or null for the activation's owner. */
export type Step =
  | { do: 'buy'; user: number; supplier: SupplierMood; key: number | null }
  | { do: 'replace'; user: number | null; target: number; supplier: SupplierMood }
  | { do: 'preorder'; user: number; enough: boolean }
  | { do: 'drop'; user: number | null; order: number }
  | { do: 'cancel' | 'used' | 'again' | 'finish'; user: number | null; target: number }
  | { do: 'code' | 'repeat' | 'unusable' | 'refund'; target: number }
  | { do: 'credit' | 'debit'; user: number; micros: number; key: number }
  | PlayStep
  | { do: 'wait'; seconds: number }
  | { do: 'sweep'; supplier: SupplierMood }
export type SupplierMood = 'sells' | 'refuses' | 'breaks'

export const USERS = 3

const user = fc.nat({ max: USERS - 1 })
const target = fc.nat({ max: 30 })
const supplier: fc.Arbitrary<SupplierMood> = fc.oneof(
  { weight: 6, arbitrary: fc.constant('sells' as const) },
  fc.constantFrom('refuses', 'breaks'),
)
const owner = fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, user)
const replace = fc.record({ do: fc.constant('replace' as const), user: owner, target, supplier })
const preorder = fc.record({
  do: fc.constant('preorder' as const),
  user,
  enough: fc.constantFrom(true, true, true, false),
})
const drop = fc.record({ do: fc.constant('drop' as const), user: owner, order: fc.nat({ max: 10 }) })
const buy = fc.record({
  do: fc.constant('buy' as const),
  user,
  supplier,
  key: fc.option(fc.nat({ max: 3 })),
})
const press = fc.record({
  do: fc.constantFrom('cancel', 'cancel', 'used', 'again', 'again', 'finish'),
  user: owner,
  target,
})
const outside = fc.record({
  do: fc.constantFrom('code', 'code', 'code', 'code', 'repeat', 'unusable', 'refund'),
  target,
})
const money = fc.record({
  do: fc.constantFrom('credit', 'debit'),
  user,
  micros: fc.integer({ min: 1, max: 40_000_000 }),
  key: fc.nat({ max: 20 }),
})
const play = fc.record({
  do: fc.constant('play' as const),
  user,
  what: fc.constantFrom('buy' as const, 'buy' as const, 'code' as const, 'top-up' as const),
})
const time = fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(1, 10, 60, 120, 600, 1200) })
const sweep = fc.record({
  do: fc.constant('sweep' as const),
  supplier: fc.constantFrom<SupplierMood>('sells', 'sells', 'refuses', 'breaks'),
})

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: buy },
  { weight: 5, arbitrary: press },
  { weight: 6, arbitrary: outside },
  { weight: 2, arbitrary: money },
  { weight: 3, arbitrary: time },
  { weight: 3, arbitrary: sweep },
  { weight: 2, arbitrary: replace },
  { weight: 3, arbitrary: preorder },
  { weight: 1, arbitrary: drop },
  { weight: 2, arbitrary: play },
)

export type ModelActivation = {
  owner: number
  state: 'waiting' | 'received' | 'waiting_again' | 'finished' | 'cancelled' | 'expired' | 'used'
  messages: number
  boughtAt: number
  refunded: boolean
}
/** The expected answer: `ok` or the thrown error's code. For `buy` also whether a new number was bought. */
export type Expected = { answer: string; bought?: boolean }

export const PRICES: Record<Currency, bigint> = { rub: 13_000_000n, usd: 144_500n }
const LIFETIME_MS = 1200 * SECOND
const EARLY_CANCEL_MS = 120 * SECOND

/** A model of the product's rules in memory, without SQL and concurrency. */
export class BooksModel {
  now = 0
  readonly activations: ModelActivation[] = []
  readonly preorders = new PreorderModel()
  readonly play: PlayModel
  readonly accounts: { currency: Currency; available: bigint; held: bigint }[]
  private readonly keys = new Map<string, 'bought' | 'failed'>()
  private readonly moved = new Map<string, bigint>()

  constructor(accounts: { currency: Currency; available: bigint }[]) {
    this.accounts = accounts.map((account) => ({ ...account, held: 0n }))
    this.play = new PlayModel(accounts.map(({ currency }) => currency))
  }

  take(step: Step): Expected {
    switch (step.do) {
      case 'buy':
        return this.buy(step)
      case 'credit':
      case 'debit':
        return this.move(step)
      case 'play':
        return { answer: this.play.take(step, this.now, PRICES) }
      case 'wait':
        this.now += step.seconds * SECOND
        return { answer: 'ok' }
      case 'sweep':
        this.sweep()
        this.play.sweep(this.now - LIFETIME_MS, PRICES)
        this.buyForPreorders(step.supplier)
        return { answer: 'ok' }
      case 'replace':
        return this.replace(step)
      case 'preorder': {
        const account = this.account(step.user)
        const maxMicros = PRICES[account.currency] - (step.enough ? 0n : 1n)
        return { answer: this.preorders.make({ owner: step.user, maxMicros, now: this.now }, account) }
      }
      case 'drop': {
        const { orders } = this.preorders
        const order = orders[step.order % Math.max(1, orders.length)]
        return { answer: this.preorders.cancel(order, step.user, (owner) => this.account(owner)) }
      }
      case 'cancel':
      case 'used':
      case 'again':
      case 'finish':
        return { answer: this.press(step) }
      default:
        return { answer: this.outside(step.do, this.pick(step.target)) }
    }
  }

  pick(chosen: number): ModelActivation | undefined {
    return this.activations[chosen % Math.max(1, this.activations.length)]
  }

  private buy({ user: owner, supplier, key }: Extract<Step, { do: 'buy' }>): Expected {
    const account = this.account(owner)
    const price = PRICES[account.currency]
    const earlier = key === null ? undefined : this.keys.get(`${owner} ${key}`)
    if (earlier === 'bought') return { answer: 'ok', bought: false }
    if (earlier === 'failed') return { answer: 'NO_NUMBERS' }
    if (account.available < price) return { answer: 'NO_BALANCE' }
    if (key !== null) this.keys.set(`${owner} ${key}`, supplier === 'sells' ? 'bought' : 'failed')
    if (supplier !== 'sells') return { answer: 'NO_NUMBERS' }
    this.add(owner)
    return { answer: 'ok', bought: true }
  }

  private replace({ user, target, supplier }: Extract<Step, { do: 'replace' }>): Expected {
    const activation = this.pick(target)
    const answer = this.press({ do: 'cancel', user, target }, { again: false })
    if (activation === undefined || answer !== 'ok') return { answer }
    if (supplier !== 'sells') return { answer: 'NO_NUMBERS' }
    this.add(activation.owner)
    return { answer: 'ok', bought: true }
  }

  private buyForPreorders(supplier: SupplierMood): void {
    this.preorders.sweep(
      this.now,
      (owner) => this.account(owner),
      ({ owner, maxMicros }) => {
        if (maxMicros < PRICES[this.account(owner).currency]) return null
        if (supplier === 'sells') this.add(owner)
        return supplier === 'sells'
      },
    )
  }

  private add(owner: number): void {
    const account = this.account(owner)
    account.available -= PRICES[account.currency]
    account.held += PRICES[account.currency]
    this.activations.push({ owner, state: 'waiting', messages: 0, boughtAt: this.now, refunded: false })
  }

  private move(step: Extract<Step, { do: 'credit' | 'debit' }>): Expected {
    const account = this.account(step.user)
    const key = `${step.user} ${step.key}`
    const micros = step.do === 'credit' ? BigInt(step.micros) : -BigInt(step.micros)
    if (this.moved.has(key)) return { answer: 'ok' }
    if (account.available + micros < 0n) return { answer: 'refused' }
    this.moved.set(key, micros)
    account.available += micros
    return { answer: 'ok' }
  }

  /** Presses a button of an activation. `again` allows a second cancel of an activation, which changes nothing. */
  private press(
    step: { do: 'cancel' | 'used' | 'again' | 'finish'; user: number | null; target: number },
    { again } = { again: true },
  ): string {
    const activation = this.pick(step.target)
    if (activation === undefined || (step.user ?? activation.owner) !== activation.owner) return 'NOT_FOUND'
    const { state, boughtAt } = activation
    const hasCode = state === 'received' || state === 'waiting_again'
    if (step.do === 'cancel' || step.do === 'used') {
      const end = step.do === 'cancel' ? 'cancelled' : 'used'
      if (state === end && again) return 'ok'
      if (hasCode) return 'CODE_ALREADY_RECEIVED'
      if (state !== 'waiting') return 'ACTIVATION_ENDED'
      if (step.do === 'cancel' && this.now - boughtAt < EARLY_CANCEL_MS) return 'EARLY_CANCEL_DENIED'
      this.release(activation, end)
      return 'ok'
    }
    if (state === 'waiting') return 'NO_CODE_YET'
    if (step.do === 'finish') {
      if (!hasCode && state !== 'finished') return 'ACTIVATION_ENDED'
      activation.state = 'finished'
      return 'ok'
    }
    if (state === 'waiting_again') return 'ok'
    if (state !== 'received' || this.now - boughtAt >= LIFETIME_MS) return 'ACTIVATION_ENDED'
    activation.state = 'waiting_again'
    return 'ok'
  }

  private outside(what: 'code' | 'repeat' | 'unusable' | 'refund', activation: ModelActivation | undefined): string {
    if (activation === undefined) return 'ok'
    const account = this.account(activation.owner)
    const price = PRICES[account.currency]
    const { state } = activation
    if (what === 'unusable' && state === 'waiting') this.release(activation, 'used')
    if (what === 'code' && (state === 'waiting' || state === 'received' || state === 'waiting_again')) {
      if (activation.messages === 0) account.held -= price
      activation.messages += 1
      activation.state = 'received'
    }
    if (what === 'refund') {
      if (activation.messages === 0) return 'not-captured'
      if (activation.refunded) return 'refunded-before'
      activation.refunded = true
      account.available += price
    }
    return 'ok'
  }

  private sweep(): void {
    for (const activation of this.activations) {
      if (this.now - activation.boughtAt < LIFETIME_MS) continue
      if (activation.state === 'waiting') this.release(activation, 'expired')
      else if (activation.state === 'received' || activation.state === 'waiting_again') activation.state = 'finished'
    }
  }

  private release(activation: ModelActivation, state: 'cancelled' | 'used' | 'expired'): void {
    const account = this.account(activation.owner)
    account.held -= PRICES[account.currency]
    account.available += PRICES[account.currency]
    activation.state = state
  }

  private account(owner: number) {
    const account = this.accounts[owner]
    if (account === undefined) throw new Error('there is no such user')
    return account
  }
}
