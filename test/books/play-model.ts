import { type Currency, MICROS_PER_UNIT } from '#contract/money.ts'
import type { ModelAccount } from './preorder-model.ts'

export type PlayStep = { do: 'play'; user: number; what: 'buy' | 'code' | 'top-up' }

const BEGINS_WITH: Record<Currency, bigint> = { rub: 10_000n * MICROS_PER_UNIT, usd: 100n * MICROS_PER_UNIT }

type Shadow = ModelAccount & { currency: Currency; waiting: number[] }

/** A model of the sandbox's play money: it is reset, held for a number, and spent or released. */
export class PlayModel {
  readonly shadows: Shadow[]

  constructor(currencies: readonly Currency[]) {
    this.shadows = currencies.map((currency) => ({ currency, available: BEGINS_WITH[currency], held: 0n, waiting: [] }))
  }

  take({ user, what }: PlayStep, now: number, prices: Record<Currency, bigint>): string {
    const shadow = this.shadows[user]
    if (shadow === undefined) throw new Error('there is no such user')
    const price = prices[shadow.currency]
    if (what === 'top-up') {
      const wanted = BEGINS_WITH[shadow.currency]
      if (shadow.available < wanted) shadow.available = wanted
    }
    if (what === 'buy') {
      if (shadow.available < price) return 'NO_BALANCE'
      shadow.available -= price
      shadow.held += price
      shadow.waiting.push(now)
    }
    if (what === 'code' && shadow.waiting.pop() !== undefined) shadow.held -= price
    return 'ok'
  }

  sweep(boughtBefore: number, prices: Record<Currency, bigint>): void {
    for (const shadow of this.shadows) {
      const over = shadow.waiting.filter((boughtAt) => boughtAt <= boughtBefore)
      shadow.waiting = shadow.waiting.filter((boughtAt) => boughtAt > boughtBefore)
      const micros = prices[shadow.currency] * BigInt(over.length)
      shadow.held -= micros
      shadow.available += micros
    }
  }
}
