import { HOUR, SECOND } from '#contract/time.ts'

export type ModelAccount = { available: bigint; held: bigint }
export type ModelPreorder = {
  owner: number
  maxMicros: bigint
  state: 'waiting' | 'bought' | 'cancelled' | 'expired'
  tries: number
  nextTryAt: number
  deadlineAt: number
}

const MAX_OPEN = 20
const FIRST_RETRY_MS = 10 * SECOND
const LONGEST_RETRY_MS = 300 * SECOND

/** A model of the rules of pre-orders for one kind of number, in memory. Each lasts an hour. */
export class PreorderModel {
  readonly orders: ModelPreorder[] = []

  make(wish: { owner: number; maxMicros: bigint; now: number }, account: ModelAccount): string {
    const { owner, maxMicros, now } = wish
    const waiting = this.orders.filter(({ state }) => state === 'waiting')
    if (waiting.filter((order) => order.owner === owner).length >= MAX_OPEN) return 'TOO_MANY_PREORDERS'
    if (account.available < maxMicros) return 'NO_BALANCE'
    move(account, maxMicros)
    const tried = waiting.filter(({ tries }) => tries > 0).map(({ nextTryAt }) => nextTryAt)
    const nextTryAt = Math.max(now, ...tried)
    this.orders.push({ owner, maxMicros, state: 'waiting', tries: 0, nextTryAt, deadlineAt: now + HOUR })
    return 'ok'
  }

  cancel(order: ModelPreorder | undefined, user: number | null, accountOf: (owner: number) => ModelAccount): string {
    if (order === undefined || (user ?? order.owner) !== order.owner) return 'NOT_FOUND'
    if (order.state === 'cancelled') return 'ok'
    if (order.state !== 'waiting') return 'PREORDER_ENDED'
    move(accountOf(order.owner), -order.maxMicros)
    order.state = 'cancelled'
    return 'ok'
  }

  /**
   * Ends overdue pre-orders, and buys for the rest, oldest first, until a purchase fails.
   * `buy` returns whether it got a number, or null if the pre-order's price is too low.
   */
  sweep(now: number, accountOf: (owner: number) => ModelAccount, buy: (order: ModelPreorder) => boolean | null): void {
    for (const order of this.orders) {
      if (order.state !== 'waiting' || order.deadlineAt > now) continue
      move(accountOf(order.owner), -order.maxMicros)
      order.state = 'expired'
    }
    for (const order of this.orders) {
      if (order.state !== 'waiting' || order.nextTryAt > now) continue
      const bought = buy(order)
      if (bought === null) continue
      if (bought) {
        move(accountOf(order.owner), -order.maxMicros)
        order.state = 'bought'
        continue
      }
      const until = now + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** order.tries)
      order.tries += 1
      for (const other of this.orders) {
        if (other.state === 'waiting' && other.nextTryAt < until) other.nextTryAt = until
      }
      return
    }
  }
}

function move(account: ModelAccount, micros: bigint): void {
  account.available -= micros
  account.held += micros
}
