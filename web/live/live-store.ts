import { createStore, type Store } from '#web/store.ts'
import type { LiveEvent } from './apply-event.ts'

/** `offline`: the connection was lost, so the shown data may be stale. */
export type LiveState = 'off' | 'connecting' | 'connected' | 'offline'

export type LiveStore = {
  state: Store<LiveState>
  emit(event: LiveEvent): void
  listen(listener: (event: LiveEvent) => void): () => void
}

export function createLiveStore(): LiveStore {
  const listeners = new Set<(event: LiveEvent) => void>()
  return {
    state: createStore<LiveState>('off'),
    emit: (event) => {
      for (const listener of listeners) listener(event)
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
