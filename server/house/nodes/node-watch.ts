import { hostname } from 'node:os'
import { isAlive } from '#server/house/db/is-alive.ts'
import { type LivingNode, NODE_LEASE_MS } from './queries.ts'

/** A node that is starting keeps its processor busy, and nobody waits for it. */
const STARTING_LEASE_MS = 15_000
/** After a longer time without a look, such as an outage or a stall of this process, the watch begins anew. */
const LONGEST_GAP_MS = 1_500
/** The time without a renewal after which a node whose process is gone counts as killed. */
const NO_RENEWAL_MS = 600

/**
 * Judges which other nodes are dead. A node is dead only if this process itself has seen for the whole time that the
 * node did not renew itself. So neither a step of a clock nor an outage of PostgreSQL kills a healthy node.
 */
export class NodeWatch {
  #seen = new Map<bigint, { until: string; sinceMs: number }>()
  #lookedAtMs = Number.NEGATIVE_INFINITY

  /** Forgets what was seen. Must be called after a look that failed, because the nodes were not seen meanwhile. */
  reset(): void {
    this.#seen.clear()
  }

  /** Returns the nodes that are dead. `nowMs` is of a clock that never steps. */
  judge(others: readonly LivingNode[], nowMs: number): LivingNode[] {
    const isGap = nowMs - this.#lookedAtMs > LONGEST_GAP_MS
    const before = isGap ? new Map<bigint, never>() : this.#seen
    this.#lookedAtMs = nowMs
    this.#seen = new Map()
    return others.filter((node) => {
      const { id, until } = node
      const seen = before.get(id)
      const sinceMs = seen?.until === until ? seen.sinceMs : nowMs
      this.#seen.set(id, { until, sinceMs })
      return nowMs - sinceMs >= patienceMs(node)
    })
  }
}

function patienceMs(node: LivingNode): number {
  if (isKilled(node)) return NO_RENEWAL_MS
  return node.state === 'stand_by' && node.leases.length === 0 ? STARTING_LEASE_MS : NODE_LEASE_MS
}

/**
 * Tells whether the node's process was killed on this machine, so that a restart need not wait for the node's time. A
 * node on a second machine with the same host name is connected, or renews itself meanwhile.
 */
export function isKilled({ host, pid, connected }: LivingNode): boolean {
  // The process of a restarted container often has the process id of the killed one.
  return host === hostname() && !connected && (pid === process.pid || !isAlive(pid))
}
