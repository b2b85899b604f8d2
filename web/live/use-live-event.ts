import { useEffect, useEffectEvent } from 'react'
import { useAppContext } from '#web/app-context.ts'
import type { LiveEvent } from './apply-event.ts'

/** Calls `listener` after the event has changed the caches: for sounds and alerts, not for state. */
export function useLiveEvent(listener: (event: LiveEvent) => void): void {
  const { live } = useAppContext()
  const onEvent = useEffectEvent(listener)
  useEffect(() => live.listen(onEvent), [live])
}
