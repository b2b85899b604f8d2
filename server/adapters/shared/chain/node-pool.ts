import { HOUR, MINUTE, SECOND } from '#contract/time.ts'
import type { Clock } from '#server/house/clock.ts'
import { whyFailed } from '#server/house/http/outbound/why-failed.ts'
import { type RpcNode, RpcRefused } from './rpc-node.ts'

/** The time for which a failed node gets no requests, if enough other nodes answer. */
const REST_MS = 30 * SECOND
/** The time for which nodes may differ unreported, because they differ for a moment at each new block. */
const FORK_MS = MINUTE
/** The time for which a node is reported after a false reply that no fork of the chain explains. */
const LIE_MS = HOUR

export type Answer<T> = { node: RpcNode; value: T }

/** The nodes of one chain and their faults. Faults are in memory only, so after a restart all nodes are asked again. */
export type NodePool = {
  readonly need: number
  /** Asks all nodes in parallel and leaves out nodes that fail. Throws if fewer than `need` nodes answer. */
  askAll<T>(ask: (node: RpcNode) => Promise<T>, among?: readonly RpcNode[]): Promise<Answer<T>[]>
  /**
   * Returns the value that enough nodes returned, or null. If `lies` is set, no fork can explain a different value, so
   * a node that returned one is reported at once.
   */
  agree<T>(answers: readonly Answer<T>[], keyOf: (value: T) => string, lies?: boolean): Agreed<T> | null
  doubted(): string[]
}

export type Agreed<T> = { value: T; nodes: RpcNode[] }

export function createNodePool(clock: Clock, { nodes, need }: { nodes: readonly RpcNode[]; need: number }): NodePool {
  const restUntil = new Map<RpcNode, number>()
  const lyingUntil = new Map<RpcNode, number>()
  const differsSince = new Map<RpcNode, number>()
  const now = () => clock.now().getTime()
  return {
    need,
    async askAll(ask, among = nodes) {
      const fresh = among.filter((node) => (restUntil.get(node) ?? 0) <= now())
      const asked = fresh.length >= need ? fresh : among
      const failures: string[] = []
      const answers = await Promise.all(
        asked.map((node) =>
          ask(node).then(
            (value) => [{ node, value }],
            (error: unknown) => {
              const why = whyFailed(error)
              failures.push(why.startsWith(node.name) ? why : `${node.name}: ${why}`)
              // A node that refuses the request is not treated as failed, because it answers.
              if (!(error instanceof RpcRefused)) restUntil.set(node, now() + REST_MS)
              return []
            },
          ),
        ),
      )
      const answered = answers.flat()
      if (answered.length >= need) return answered
      throw new Error(`${answered.length} of ${nodes.length} nodes answer: ${failures.join('; ')}`)
    },
    agree(answers, keyOf, lies = false) {
      const groups = Map.groupBy(answers, ({ value }) => keyOf(value))
      const agreed = [...groups.values()].find((group) => group.length >= need)
      for (const group of groups.values()) {
        // If only one value was returned, no node contradicts another.
        if (groups.size === 1 && agreed === undefined) break
        for (const { node } of group) {
          // No majority means that it is unknown which node is wrong.
          if (group === agreed) differsSince.delete(node)
          else if (lies) lyingUntil.set(node, now() + LIE_MS)
          else if (!differsSince.has(node)) differsSince.set(node, now())
        }
      }
      const [first] = agreed ?? []
      return agreed === undefined || first === undefined
        ? null
        : { value: first.value, nodes: agreed.map(({ node }) => node) }
    },
    doubted: () =>
      nodes
        .filter((node) => (lyingUntil.get(node) ?? 0) > now() || now() - (differsSince.get(node) ?? now()) > FORK_MS)
        .map(({ name }) => name),
  }
}
