import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'

/** A change for a user. News name rows and have no contents: a node that hears them reads the rows itself. */
export type UserNews =
  | { kind: 'activation' | 'preorder' | 'message' | 'notification' | 'support-message'; id: string }
  | { kind: 'rental'; id: string; paid: boolean }
  | { kind: 'payment'; id: string; hasMoved: boolean }
  | { kind: 'balance' }

/** A change for every node. `missed` means that a node could not tell some of its news. */
export type NodeNews =
  | { kind: 'sessions-ended' | 'sessions-renewed'; sessions: readonly string[] }
  | { kind: 'user-shut-out' | 'push-subscriber'; userId: number }
  | { kind: 'keys-changed' | 'catalogue-changed' | 'standings-changed' | 'supply-changed' | 'webhooks-due' | 'missed' }
  | { kind: 'request-stored'; supplierId: number }
  | { kind: 'message-unsure'; name: string }
  | { kind: 'ticket'; ticketId: number }
  | { kind: 'writing'; ticketId: number; staffId: number }

/** A channel, and the key of its sequence number. The braces keep both on one server of a cluster. */
export const NODES = 'nodes:{all}'

/** A channel that has no news: its hearers are counted. */
export const HERE = 'here:{all}'

export function newsChannel(userId: number): string {
  return `user:{${userId}}`
}

export function tabsChannel(userId: number): string {
  return `tabs:{${userId}}`
}

/**
 * `sender` marks the news of this process, `hasLost` that some were not told. `together` has the news told just now, as
 * JSON, and whether they must be told once more.
 */
export const newsOf = perContext(
  'news for other nodes',
  {
    scope: 'process',
    nodes: 'own',
    lost: 'news of the last changes: pages that another node holds find them when they fetch again',
  },
  ({ random }: Pick<Context, 'random'>) => ({
    sender: random.uuid(),
    underWay: 0,
    hasLost: false,
    together: new Map<string, boolean>(),
  }),
)
