import type { Offer } from '#server/core/suppliers/supplier.ts'
import { perContext } from '#server/house/memory.ts'

type Listed = { list: readonly Offer[]; isSaved: boolean }

type Waiting = { take: () => Promise<void>; taken: Promise<void> }

/** A queue for lists of one kind: one is processed at a time, and only the last requested one waits. */
export class ListSequence {
  /** The supplier's last list; undefined if the offers in memory come from the table. */
  listed: Listed | undefined = { list: [], isSaved: false }
  private asked = 0
  private newest = 0
  private waiting: Waiting | undefined
  private last: Promise<void> = Promise.resolve()

  /** Processes the list that `ask` fetches. Resolves when this list, or a newer one, was processed. */
  async next(ask: () => Promise<(() => Promise<void>) | null>): Promise<void> {
    this.asked += 1
    const asked = this.asked
    const take = await ask()
    if (take === null) return
    if (asked < this.newest) return this.last
    this.newest = asked
    return this.take(take)
  }

  private take(take: () => Promise<void>): Promise<void> {
    if (this.waiting !== undefined) {
      this.waiting.take = take
      return this.waiting.taken
    }
    const begin = () => {
      this.waiting = undefined
      return waiting.take()
    }
    const waiting: Waiting = { take, taken: this.last.then(begin) }
    this.waiting = waiting
    // A failure is reported to the caller, so the next list in the chain ignores it.
    this.last = waiting.taken.catch(() => undefined)
    return waiting.taken
  }
}

export type ListsOfSupplier = { activated: ListSequence; rented: ListSequence }

/** Holds each supplier's lists by the supplier's id, because changed settings make a new supplier object. */
export class SupplierLists {
  private readonly bySupplier = new Map<number, ListsOfSupplier>()

  of(supplierId: number): ListsOfSupplier {
    const lists = this.bySupplier.get(supplierId) ?? { activated: new ListSequence(), rented: new ListSequence() }
    this.bySupplier.set(supplierId, lists)
    return lists
  }

  forget(supplierId: number): void {
    this.bySupplier.delete(supplierId)
  }
}

export const supplierListsOf = perContext(
  'lists of suppliers',
  { scope: 'process', nodes: 'own', lost: 'nothing: suppliers are asked again' },
  () => new SupplierLists(),
)
