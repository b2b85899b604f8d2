import type { Db } from '#server/house/db/pool.ts'
import { findRenewal } from '#server/house/nodes/queries.ts'

/** A renewal of this node: the time that it stored, and the time before it was sent to the primary. */
export type Renewal = { nodeId: bigint; untilMicros: bigint | null; begunAt: Date }

/** The number of renewals that are remembered, two a second. An older one is too old anyway. */
const MAX_KEPT = 120

/**
 * The last renewals of this node, by which a stand-by shows how far behind it is. PostgreSQL replays commits in their
 * order. So a stand-by that has a renewal has all that was answered before the renewal was sent. A copy that follows a
 * lost primary, or that is of another database, never gets a renewal.
 */
export class Renewals {
  #kept: Renewal[] = []

  note(renewal: Renewal): void {
    this.#kept = [...this.#kept.slice(1 - MAX_KEPT), renewal]
  }

  /** Returns how much older than the primary the data of a stand-by may be; Infinity for a server that is none. */
  async behindMs(standBy: Db, now: () => Date): Promise<number> {
    const nodeId = this.#kept.at(-1)?.nodeId
    if (nodeId === undefined) return Number.POSITIVE_INFINITY
    const { isStandBy, untilMicros } = await findRenewal(standBy, nodeId)
    const shown = this.#kept.find((one) => one.untilMicros !== null && one.untilMicros === untilMicros)
    if (!isStandBy || shown === undefined) return Number.POSITIVE_INFINITY
    const behindMs = now().getTime() - shown.begunAt.getTime()
    // The clock goes back only if the machine's date was wrong by more than a day.
    return behindMs < 0 ? Number.POSITIVE_INFINITY : behindMs
  }
}
