import type { LiveEvent } from '#contract/live-events.ts'
import { createStore, type Store } from './store.ts'

/** `offline`: the connection was lost, so the shown data may be stale. */
export type LiveState = 'off' | 'connecting' | 'connected' | 'offline'

export type LiveStore = {
  state: Store<LiveState>
  /** The channel has opened: events of before are missing in whatever was asked earlier. */
  opened(): void
  /** For a loader's reply. `askedAt`: ISO 8601. Queries that exist are asked again when the channel opens; a reply that no query has yet is not. */
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
