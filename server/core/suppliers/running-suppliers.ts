import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '#server/house/context.ts'
import type { Log } from '#server/house/log.ts'
import { perContext } from '#server/house/memory.ts'
import type { Supplier } from './supplier.ts'

const STOP_LIMIT_MS = 5_000

type AtWork = { supplier: Supplier; settingsVersion: number }

export class RunningSuppliers {
  private readonly suppliers = new Map<number, AtWork>()
  private readonly log: Log

  constructor(log: Log) {
    this.log = log
  }

  get(id: number): Supplier | undefined {
    return this.suppliers.get(id)?.supplier
  }

  settingsVersion(id: number): number | undefined {
    return this.suppliers.get(id)?.settingsVersion
  }

  all(): Supplier[] {
    return this.withSandbox().filter(({ sandbox }) => sandbox !== true)
  }

  private withSandbox(): Supplier[] {
    return [...this.suppliers.values()].map(({ supplier }) => supplier)
  }

  async add(supplier: Supplier, settingsVersion = FIRST_SETTINGS): Promise<void> {
    await supplier.start()
    this.suppliers.set(supplier.id, { supplier, settingsVersion })
  }

  /**
   * Replaces a supplier object. The earlier object stops first, because both may use the same port. If the new object
   * cannot start, the earlier one restarts for its sold numbers, and the error is thrown.
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

  /** Stops all suppliers. A supplier that fails to stop, or takes too long, delays neither others nor the process. */
  async stop(): Promise<void> {
    const stopping = this.withSandbox().map((supplier) => Promise.race([this.remove(supplier.id), tooLong(supplier)]))
    for (const result of await Promise.allSettled(stopping)) {
      if (result.status === 'rejected') this.log.warn({ error: result.reason }, 'a supplier did not stop cleanly')
    }
  }

  private async goOnWith(earlier: Supplier | undefined, settingsVersion: number): Promise<void> {
    if (earlier === undefined) return
    try {
      await this.add(earlier, settingsVersion)
    } catch (error) {
      this.suppliers.delete(earlier.id)
      this.log.error({ error, supplier: earlier.code }, 'a supplier could not be started again')
    }
  }
}

async function tooLong({ code }: Supplier): Promise<never> {
  await wait(STOP_LIMIT_MS, undefined, { ref: false })
  throw new Error(`${code} did not stop within ${STOP_LIMIT_MS} ms`)
}

const FIRST_SETTINGS = 1

export const suppliersOf = perContext(
  'suppliers',
  { scope: 'process', lost: 'open links, which are opened again' },
  ({ log }: Pick<Context, 'log'>) => new RunningSuppliers(log),
)

export function countLinks(ctx: Context): { up: number; down: number } {
  const states = suppliersOf(ctx)
    .all()
    .flatMap((supplier) => supplier.link?.() ?? [])
  const up = states.filter((state) => state.up).length
  return { up, down: states.length - up }
}
