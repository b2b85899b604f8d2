import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '#server/log.ts'
import { createSimulator } from './simulator/simulator.ts'
import { createSmppSupplier } from './smpp/smpp-supplier.ts'
import type { Supplier, SupplierContext, SupplierRow } from './supplier.ts'

type SupplierFactory = (ctx: SupplierContext, row: SupplierRow) => Supplier

/** Every kind of supplier by the word of `cli supplier:add KIND`. */
export const supplierKinds: Record<string, SupplierFactory> = {
  simulator: createSimulator,
  smpp: createSmppSupplier,
}

/** A supplier that takes longer is left behind when the process stops. */
const STOP_LIMIT_MS = 5_000

type AtWork = { supplier: Supplier; settingsVersion: number }

/** The suppliers at work in this process, by their id. */
export class SupplierRegistry {
  private readonly suppliers = new Map<number, AtWork>()
  private readonly log: Log

  constructor(log: Log) {
    this.log = log
  }

  get(id: number): Supplier | undefined {
    return this.suppliers.get(id)?.supplier
  }

  /** The version of the settings that a supplier was last started with, or tried to. */
  settingsVersion(id: number): number | undefined {
    return this.suppliers.get(id)?.settingsVersion
  }

  all(): Supplier[] {
    return [...this.suppliers.values()].map(({ supplier }) => supplier)
  }

  /** Starts a supplier and keeps it. */
  async add(supplier: Supplier, settingsVersion = FIRST_SETTINGS): Promise<void> {
    await supplier.start()
    this.suppliers.set(supplier.id, { supplier, settingsVersion })
  }

  /**
   * Stops the supplier with this id and starts another in its place: both may want the same port. Purchases and ends that
   * come meanwhile go to the earlier one. When the other cannot start, the earlier one is started again, for the numbers
   * it has sold, and the error is thrown.
   */
  async replace(supplier: Supplier, settingsVersion: number): Promise<void> {
    const earlier = this.get(supplier.id)
    await earlier?.stop()
    try {
      await this.add(supplier, settingsVersion)
    } catch (error) {
      await this.goOnWith(earlier, settingsVersion)
      throw error
    }
  }

  async remove(id: number): Promise<void> {
    const supplier = this.get(id)
    this.suppliers.delete(id)
    await supplier?.stop()
  }

  /** Stops all of them together; one that fails to stop, or takes too long, keeps neither the others nor the process. */
  async stop(): Promise<void> {
    const stopping = this.all().map((supplier) => Promise.race([this.remove(supplier.id), tooLong(supplier)]))
    for (const result of await Promise.allSettled(stopping)) {
      if (result.status === 'rejected') this.log.warn({ error: result.reason }, 'a supplier did not stop cleanly')
    }
  }

  private async goOnWith(earlier: Supplier | undefined, settingsVersion: number): Promise<void> {
    if (earlier === undefined) return
    try {
      await this.add(earlier, settingsVersion)
    } catch (error) {
      // One that hears nothing must sell nothing.
      this.suppliers.delete(earlier.id)
      this.log.error({ error, supplier: earlier.code }, 'a supplier could not be started again')
    }
  }
}

async function tooLong({ code }: Supplier): Promise<never> {
  await wait(STOP_LIMIT_MS, undefined, { ref: false })
  throw new Error(`${code} did not stop within ${STOP_LIMIT_MS} ms`)
}

/** As `suppliers.settings_version` begins. */
const FIRST_SETTINGS = 1
