import { perContext } from '#server/house/memory.ts'
import { CallLog } from './call-log.ts'
import { Norms } from './norms.ts'
import type { Cause, StandingRow } from './queries/standings.ts'
import { ReusedIds } from './reused-ids.ts'

export type Standing = {
  state: 'sound' | 'aside'
  cause: Cause | null
  since: Date | null
  tryAt: Date | null
  falls: number
  version: number
}

const NEW: Standing = { state: 'sound', cause: null, since: null, tryAt: null, falls: 0, version: 0 }

/**
 * A slot for a trial purchase is `closed` until the trial's time, then `open`, and `taken` until the outcome is known.
 */
type Slot = 'closed' | 'open' | 'taken'

/** A purchase is a `trial` if its supplier was taken off sale for bad health and is tested again. */
export type Pass = 'plain' | 'trial'

/**
 * Caches the health of suppliers, because every purchase reads it. Failures in a row and slots are lost at a restart.
 */
export class HealthBook {
  readonly calls = new CallLog()
  readonly reusedIds = new ReusedIds()
  norms = new Norms()
  normsAt: Date | null = null
  readonly #standings = new Map<number, Standing>()
  readonly #slots = new Map<number, Slot>()
  #barred: ReadonlyMap<number, ReadonlySet<number>> = new Map()
  readonly #underWay = new Set<number>()
  /** Counts failed calls in a row. For a supplier taken off sale, counts answered trials in a row instead. */
  readonly #inARow = new Map<number, number>()
  readonly #changing = new Set<number>()
  readonly #smsAt = new Map<number, Date>()
  readonly #stocks = new Map<number, number>()

  load(rows: readonly StandingRow[]): void {
    for (const row of rows) this.set(row)
  }

  set(row: StandingRow): void {
    const { supplier_id: id, state, cause, since, try_at: tryAt, falls, version } = row
    if (this.#standings.get(id)?.version === version) return
    this.#standings.set(id, { state, cause, since, tryAt, falls, version })
    this.#slots.set(id, 'closed')
    this.#inARow.delete(id)
  }

  of(supplierId: number): Standing {
    return this.#standings.get(supplierId) ?? NEW
  }

  aside(): { supplierId: number; standing: Standing }[] {
    return [...this.#standings].flatMap(([supplierId, standing]) =>
      standing.state === 'aside' ? [{ supplierId, standing }] : [],
    )
  }

  slotOf(supplierId: number): Slot {
    return this.#slots.get(supplierId) ?? 'closed'
  }

  setSlot(supplierId: number, slot: Slot): void {
    this.#slots.set(supplierId, slot)
  }

  setBarred(rows: ReadonlyMap<number, readonly { user_id: number }[]>): void {
    this.#barred = new Map([...rows].map(([id, of]) => [id, new Set(of.map((row) => row.user_id))]))
  }

  /** Admits a purchase from the supplier, as a trial if it is off sale. Returns null if nothing may be bought now. */
  enter(supplierId: number, userId: number): Pass | null {
    if (this.of(supplierId).state === 'sound') return 'plain'
    if (this.slotOf(supplierId) !== 'open' || this.#barred.get(supplierId)?.has(userId) === true) return null
    this.#slots.set(supplierId, 'taken')
    this.#underWay.add(supplierId)
    return 'trial'
  }

  leave(supplierId: number): void {
    this.#underWay.delete(supplierId)
  }

  isUnderWay(supplierId: number): boolean {
    return this.#underWay.has(supplierId)
  }

  countInARow(supplierId: number): number {
    const count = (this.#inARow.get(supplierId) ?? 0) + 1
    this.#inARow.set(supplierId, count)
    return count
  }

  endRow(supplierId: number): void {
    this.#inARow.delete(supplierId)
  }

  /** Locks a supplier for one change of its health state. Returns false if another change is running. */
  beginChange(supplierId: number): boolean {
    if (this.#changing.has(supplierId)) return false
    this.#changing.add(supplierId)
    return true
  }

  endChange(supplierId: number): void {
    this.#changing.delete(supplierId)
  }

  noteSms(supplierId: number, at: Date): void {
    this.#smsAt.set(supplierId, at)
  }

  noteStock(supplierId: number, stock: number): void {
    this.#stocks.set(supplierId, stock)
  }

  takeSeen(): { supplierIds: number[]; smsAt: (Date | null)[]; stocks: (number | null)[] } {
    const supplierIds = [...new Set([...this.#smsAt.keys(), ...this.#stocks.keys()])]
    const smsAt = supplierIds.map((id) => this.#smsAt.get(id) ?? null)
    const stocks = supplierIds.map((id) => this.#stocks.get(id) ?? null)
    this.#smsAt.clear()
    this.#stocks.clear()
    return { supplierIds, smsAt, stocks }
  }
}

export const healthBookOf = perContext(
  'health of suppliers',
  { scope: 'world', nodes: 'told', lost: 'calls since the last flush, some seconds at most' },
  () => new HealthBook(),
)
