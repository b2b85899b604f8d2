import type { SupplierContext } from '../supplier.ts'
import type { Behaviour } from './behaviours.ts'
import { composeMessage, composeUnicodeMessage } from './messages.ts'
import { listServiceNames } from './queries.ts'

/** A number as its messages need it. */
export type Sold = { reference: string; serviceCode: string; phone: string; expiresAt: Date; behaviour: Behaviour }

export type Deliveries = {
  start(): Promise<void>
  /** What will happen to the number from now on. `round` counts the messages before, so that ids are never used twice. */
  promise(sold: Sold, round: number): void
  forget(reference: string): void
  forgetAll(): void
}

/** The messages of the simulator that are still to come, as timers by reference. */
export function createDeliveries(
  ctx: SupplierContext,
  settings: { supplierId: number; delayScale: number },
): Deliveries {
  const { supplierId, delayScale } = settings
  const timers = new Map<string, Set<NodeJS.Timeout>>()
  let names = new Map<string, string>()

  const later = (reference: string, afterMs: number, work: () => Promise<void>): void => {
    const pending = timers.get(reference) ?? new Set()
    timers.set(reference, pending)
    const timer = setTimeout(() => {
      pending.delete(timer)
      if (pending.size === 0 && timers.get(reference) === pending) timers.delete(reference)
      work().catch((error: unknown) => ctx.log.error({ error, reference }, 'the simulator could not deliver'))
    }, afterMs)
    pending.add(timer)
  }

  const deliver = async (sold: Sold, messageId: string): Promise<void> => {
    const code = (100_000 + ctx.random.below(900_000)).toString()
    const name = names.get(sold.serviceCode) ?? sold.serviceCode
    const text =
      sold.behaviour.words === 'unicode'
        ? composeUnicodeMessage(name, code)
        : composeMessage(sold.serviceCode, name, code)
    await ctx.receiveSms({ supplierId, messageId, phone: sold.phone, sender: name, text })
  }

  const forget = (reference: string): void => {
    for (const timer of timers.get(reference) ?? []) clearTimeout(timer)
    timers.delete(reference)
  }

  return {
    async start() {
      names = await listServiceNames(ctx.db)
    },
    promise(sold, round) {
      const { behaviour, reference } = sold
      const start = behaviour.late === true ? Math.max(0, sold.expiresAt.getTime() - ctx.clock.now().getTime()) : 0
      for (const [place, [shortest, longest]] of behaviour.messagesAfterMs.entries()) {
        const drawn = shortest + ctx.random.below(longest - shortest + 1)
        later(reference, start + drawn * delayScale, () => deliver(sold, `${reference}-${round}-${place}`))
      }
      if (behaviour.refusedAfterMs !== undefined) {
        const refuse = () => ctx.reportUnusable({ supplierId, reference })
        later(reference, behaviour.refusedAfterMs * delayScale, refuse)
      }
    },
    forget,
    forgetAll() {
      for (const reference of [...timers.keys()]) forget(reference)
    },
  }
}
