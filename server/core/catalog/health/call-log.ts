import { HOUR } from '#contract/time.ts'
import { CALL_BOUNDS_MS } from './call-bounds.ts'

const MAX_LINES = 20_000

export type SupplierCall = 'buy' | 'rent' | 'find' | 'end' | 'extend' | 'refresh' | 'balance'

export type CallLine = {
  hour: Date
  supplierId: number
  call: SupplierCall
  calls: number
  errors: number
  millisecondsCounts: number[]
}

/**
 * Buffers statistics of supplier calls, so that a call costs no SQL statement. A crash loses ten seconds of statistics.
 */
export class CallLog {
  readonly #lines = new Map<string, CallLine>()

  note(called: { supplierId: number; call: SupplierCall; failed: boolean; tookMs: number; now: Date }): void {
    const { supplierId, call, failed, tookMs, now } = called
    const hour = new Date(now.getTime() - (now.getTime() % HOUR))
    const name = `${hour.getTime()} ${supplierId} ${call}`
    const known = this.#lines.get(name)
    if (known === undefined && this.#lines.size >= MAX_LINES) return
    const line = known ?? { hour, supplierId, call, ...emptyCounts() }
    line.calls += 1
    if (failed) line.errors += 1
    const found = CALL_BOUNDS_MS.findIndex((bound) => tookMs <= bound)
    const place = found === -1 ? CALL_BOUNDS_MS.length : found
    line.millisecondsCounts[place] = (line.millisecondsCounts[place] ?? 0) + 1
    this.#lines.set(name, line)
  }

  takeAll(): CallLine[] {
    const lines = [...this.#lines.values()]
    this.#lines.clear()
    return lines
  }
}

function emptyCounts(): Pick<CallLine, 'calls' | 'errors' | 'millisecondsCounts'> {
  return { calls: 0, errors: 0, millisecondsCounts: new Array<number>(CALL_BOUNDS_MS.length + 1).fill(0) }
}
