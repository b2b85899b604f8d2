import { useEffect, useEffectEvent } from 'react'
import { useFrame } from '../frame.ts'
import { createStore, type Store } from '../store.ts'
import type { LiveEvent } from './apply-event.ts'

/** `offline`: it was connected, and is not now; what is shown may be behind. */
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

/** Calls `listener` with each live event, after the caches were changed by it: for sounds and words, not for state. */
export function useLiveEvent(listener: (event: LiveEvent) => void): void {
  const { live } = useFrame()
  const onEvent = useEffectEvent(listener)
  useEffect(() => live.listen(onEvent), [live])
}
