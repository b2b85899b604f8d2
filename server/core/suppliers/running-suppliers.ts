import { setTimeout as wait } from 'node:timers/promises'
import { MINUTE } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import type { Log } from '#server/house/log.ts'
import { perContext } from '#server/house/memory.ts'
import { holdsLease, isTogether } from '#server/house/nodes/node.ts'
import type { Supplier } from './supplier.ts'

const STOP_LIMIT_MS = 5_000
/** The time for which a node leaves a link to other nodes after it could not open the link. */
const REFUSED_MS = MINUTE

/** `isHeld` tells whether this node holds the lease of a supplier, `isShared` whether other nodes may take it. */
type Leases = { isHeld(id: number): boolean; isShared(): boolean }

type AtWork = { supplier: Supplier; settingsVersion: number; receives: boolean }

/** The lease of the node that receives a supplier's messages. */
export function supplierLease(id: number): string {
  return `supplier ${id}`
}

export class RunningSuppliers {
  private readonly suppliers = new Map<number, AtWork>()
  private readonly log: Log
  private readonly lease: Leases
  /** The times until which this node leaves a link to other nodes, because it could not open the link itself. */
  private readonly refusedUntil = new Map<number, number>()
  private readonly turns = new Map<number, Promise<unknown>>()

  constructor(log: Log, lease: Leases) {
    this.log = log
    this.lease = lease
  }

  private couldReceive(id: number): boolean {
    return performance.now() >= (this.refusedUntil.get(id) ?? 0)
  }

  private mayReceive(id: number): boolean {
    return this.lease.isHeld(id) && this.couldReceive(id)
  }

  get(id: number): Supplier | undefined {
    return this.suppliers.get(id)?.supplier
  }

  settingsVersion(id: number): number | undefined {
    return this.suppliers.get(id)?.settingsVersion
  }

  /** Tells whether this node holds the supplier's link, polls its numbers, and saves its offers. */
  receives(id: number): boolean {
    return this.suppliers.get(id)?.receives ?? this.mayReceive(id)
  }

  /** Lists the suppliers, the sandbox's included, that this node must start anew, because it gained or lost their leases. */
  changedRoles(): number[] {
    return [...this.suppliers].filter(([id, { receives }]) => receives !== this.mayReceive(id)).map(([id]) => id)
  }

  /** Lists the suppliers whose links this node may hold. */
  idsToReceive(): number[] {
    return this.ids().filter((id) => this.couldReceive(id))
  }

  ids(): number[] {
    return [...this.suppliers.keys()]
  }

  all(): Supplier[] {
    return this.withSandbox().filter(({ sandbox }) => sandbox !== true)
  }

  private withSandbox(): Supplier[] {
    return [...this.suppliers.values()].map(({ supplier }) => supplier)
  }

  add(supplier: Supplier, settingsVersion = FIRST_SETTINGS): Promise<void> {
    return this.inTurn(supplier.id, () => this.begin(supplier, settingsVersion))
  }

  private async begin(supplier: Supplier, settingsVersion: number): Promise<void> {
    const { id, code } = supplier
    const receives = this.mayReceive(id)
    try {
      await supplier.start({ receives })
      this.suppliers.set(id, { supplier, settingsVersion, receives })
    } catch (error) {
      if (!receives || !this.lease.isShared()) throw error
      this.log.error({ error, supplier: code }, 'this node cannot open the link of a supplier: another node may')
      this.refusedUntil.set(id, performance.now() + REFUSED_MS)
      await this.end(supplier)
      await supplier.start({ receives: false })
      this.suppliers.set(id, { supplier, settingsVersion, receives: false })
    }
  }

  /** Stops a supplier. The rest of the node does not wait for a link that hangs. */
  private async end(supplier: Supplier): Promise<void> {
    await Promise.race([supplier.stop(), tooLong(supplier)]).catch((error: unknown) => {
      this.log.warn({ error, supplier: supplier.code }, 'a supplier did not stop cleanly')
    })
  }

  /** Runs changes of one supplier one after the other, so that no two objects hold its link. */
  private inTurn<T>(id: number, work: () => Promise<T>): Promise<T> {
    const before = this.turns.get(id) ?? Promise.resolve()
    const turn = before.then(work, work)
    this.turns.set(
      id,
      turn.catch(() => undefined),
    )
    return turn
  }

  /**
   * Replaces a supplier object. The earlier object stops first, because both may use the same port. If the new object
   * cannot start, the earlier one restarts for its sold numbers, and the error is thrown.
   */
  replace(supplier: Supplier, settingsVersion: number): Promise<void> {
    return this.inTurn(supplier.id, async () => {
      const earlier = this.get(supplier.id)
      if (earlier !== undefined) await this.end(earlier)
      try {
        await this.begin(supplier, settingsVersion)
      } catch (error) {
        await this.goOnWith(earlier, settingsVersion)
        throw error
      }
    })
  }

  /** Starts a supplier anew in its present role. If that fails, `changedRoles` names the supplier again. */
  restart(id: number): Promise<void> {
    return this.inTurn(id, async () => {
      const atWork = this.suppliers.get(id)
      if (atWork === undefined) return
      await this.end(atWork.supplier)
      await this.begin(atWork.supplier, atWork.settingsVersion)
    })
  }

  remove(id: number): Promise<void> {
    return this.inTurn(id, async () => {
      const supplier = this.get(id)
      this.suppliers.delete(id)
      await supplier?.stop()
    })
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
      await this.begin(earlier, settingsVersion)
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
  { scope: 'process', nodes: 'told', lost: 'open links, which are opened again' },
  (ctx: Context) =>
    new RunningSuppliers(ctx.log, {
      isHeld: (id) => holdsLease(ctx, supplierLease(id)),
      isShared: () => isTogether(ctx),
    }),
)

export function countLinks(ctx: Context): { up: number; down: number } {
  const states = suppliersOf(ctx)
    .all()
    .flatMap((supplier) => supplier.link?.() ?? [])
  const up = states.filter((state) => state.up).length
  return { up, down: states.length - up }
}
