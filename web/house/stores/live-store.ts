import type { LiveEvent } from '#contract/live-events.ts'
import { createStore, type Store } from './store.ts'

/** In `offline` the connection was lost, so the shown data may be stale. */
export type LiveState = 'off' | 'connecting' | 'connected' | 'offline'

export type LiveStore = {
  state: Store<LiveState>
  /** Call this when the live channel opens. Loader replies from before that moment then count as stale. */
  opened(): void
  /**
   * Marks a loader's reply as stale if the channel opened after its request at `askedAt` (ISO 8601). When the channel
   * opens, existing queries are refetched, but a reply that has not become a query yet is not.
   */
  staleness(askedAt: string): { initialDataUpdatedAt?: 0 }
  emit(event: LiveEvent): void
  listen(listener: (event: LiveEvent) => void): () => void
}

export function createLiveStore(): LiveStore {
  let openedAtMs = Number.NEGATIVE_INFINITY
  const listeners = new Set<(event: LiveEvent) => void>()
  return {
    state: createStore<LiveState>('off'),
    opened: () => {
      openedAtMs = Date.now()
    },
    staleness: (askedAt) => (openedAtMs >= Date.parse(askedAt) ? { initialDataUpdatedAt: 0 } : {}),
    emit: (event) => {
      for (const listener of listeners) listener(event)
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
