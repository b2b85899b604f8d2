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

/** The suppliers at work in this process, by their id. */
export class SupplierRegistry {
  private readonly suppliers = new Map<number, Supplier>()
  private readonly log: Log

  constructor(log: Log) {
    this.log = log
  }

  get(id: number): Supplier | undefined {
    return this.suppliers.get(id)
  }

  all(): Supplier[] {
    return [...this.suppliers.values()]
  }

  /** Starts a supplier and keeps it. */
  async add(supplier: Supplier): Promise<void> {
    await supplier.start()
    this.suppliers.set(supplier.id, supplier)
  }

  async remove(id: number): Promise<void> {
    const supplier = this.suppliers.get(id)
    this.suppliers.delete(id)
    await supplier?.stop()
  }

  /** Stops all of them; one that fails to stop does not keep the others running. */
  async stop(): Promise<void> {
    const stopping = this.all().map((supplier) => this.remove(supplier.id))
    for (const result of await Promise.allSettled(stopping)) {
      if (result.status === 'rejected') this.log.warn({ error: result.reason }, 'a supplier did not stop cleanly')
    }
  }
}
