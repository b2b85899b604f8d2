import { useEffect, useEffectEvent } from 'react'
import type { LiveEvent } from '#contract/live-events.ts'
import { useAppContext } from '#web/house/app-context.ts'

/** Calls `listener` after a live event has changed the caches. Use it for sounds and alerts, not for state. */
export function useLiveEvent(listener: (event: LiveEvent) => void): void {
  const { live } = useAppContext()
  const onEvent = useEffectEvent(listener)
  useEffect(() => live.listen(onEvent), [live])
}
