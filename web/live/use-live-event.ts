import { useEffect, useEffectEvent } from 'react'
import { useFrame } from '#web/frame.ts'
import type { LiveEvent } from './apply-event.ts'

/** Calls `listener` with each live event, after the caches were changed by it: for sounds and words, not for state. */
export function useLiveEvent(listener: (event: LiveEvent) => void): void {
  const { live } = useFrame()
  const onEvent = useEffectEvent(listener)
  useEffect(() => live.listen(onEvent), [live])
}
