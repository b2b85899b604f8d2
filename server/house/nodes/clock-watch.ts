import { SECOND } from '#contract/time.ts'
import type { ServiceClock } from '#server/house/clock.ts'
import type { Log } from '#server/house/log.ts'
import type { LivingNode } from './queries.ts'

/**
 * Deadlines end, and messages find their orders, by the clocks of nodes, so the clocks must agree. A renewal may wait a
 * second for PostgreSQL, so a smaller difference proves nothing.
 */
const MAX_APART_MS = 2 * SECOND

/** Logs once that the clocks of two nodes differ, and once that they agree again. */
export class ClockWatch {
  #areApart = false
  #isCorrected = false

  compare(log: Log, nodes: readonly Pick<LivingNode, 'id' | 'host' | 'ahead_ms'>[]): void {
    const clocks = nodes.flatMap(({ id, host, ahead_ms: aheadMs }) =>
      aheadMs === null ? [] : [{ node: id.toString(), host, aheadMs }],
    )
    const leads = clocks.map(({ aheadMs }) => aheadMs)
    const areApart = leads.length > 1 && Math.max(...leads) - Math.min(...leads) > MAX_APART_MS
    if (areApart === this.#areApart) return
    this.#areApart = areApart
    if (areApart) log.error({ clocks }, 'the clocks of nodes differ by more than two seconds: run NTP on each machine')
    else log.warn({}, 'the clocks of nodes agree again')
  }

  /** Logs once that this machine's clock is corrected by much, because authenticator codes go by the machine's clock. */
  judgeOwn(log: Log, clock: Pick<ServiceClock, 'correction'>): void {
    const correctedMs = clock.correction()
    const isCorrected = Math.abs(correctedMs) > MAX_APART_MS
    if (isCorrected === this.#isCorrected) return
    this.#isCorrected = isCorrected
    if (isCorrected)
      log.error(
        { correctedMs },
        "this machine's clock and PostgreSQL's differ by more than two seconds: run NTP on both",
      )
    else log.warn({}, "this machine's clock and PostgreSQL's agree again")
  }
}
