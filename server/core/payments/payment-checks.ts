import { setTimeout as wait } from 'node:timers/promises'
import { perContext } from '#server/house/memory.ts'

/** The pause, in ms, between two checks of a payment, because gateways report a change by several webhooks at once. */
const REST_MS = 100

/** Runs one check of a payment at a time. Callers during a check share the next check, which sees all changes since. */
export class PaymentChecks {
  private readonly running = new Map<bigint, Promise<void>>()
  private readonly waiting = new Map<bigint, Promise<void>>()

  run(id: bigint, check: () => Promise<void>): Promise<void> {
    const running = this.running.get(id)
    if (running === undefined) return this.begin(id, check)
    const waiting = this.waiting.get(id)
    if (waiting !== undefined) return waiting
    const next = running
      // A failure is reported to the callers of that check only.
      .catch(() => undefined)
      .then(async () => {
        await wait(REST_MS)
        this.waiting.delete(id)
        return this.begin(id, check)
      })
    this.waiting.set(id, next)
    return next
  }

  /** Returns true if a further check waits, because of a webhook that the running check may have missed. */
  isAskedAgain(id: bigint): boolean {
    return this.waiting.has(id)
  }

  private begin(id: bigint, check: () => Promise<void>): Promise<void> {
    const running = check().finally(() => {
      if (this.running.get(id) === running) this.running.delete(id)
    })
    this.running.set(id, running)
    return running
  }
}

export const paymentChecksOf = perContext(
  'payment checks under way',
  { scope: 'process', nodes: 'own', lost: 'nothing: payments are checked again' },
  () => new PaymentChecks(),
)
