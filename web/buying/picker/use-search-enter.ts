import { useEffect, useEffectEvent, useState } from 'react'
import { inBackground } from '#web/in-background.ts'

/** A press of Enter that is acted on once there is what it needs. Any other key forgets it. */
export function useSearchEnter(ready: boolean, act: () => Promise<void>): { press: () => void; forget: () => void } {
  const [pressed, setPressed] = useState(false)
  const run = useEffectEvent(() => {
    setPressed(false)
    inBackground(act())
  })
  useEffect(() => {
    if (pressed && ready) run()
  }, [pressed, ready])
  return { press: () => setPressed(true), forget: () => setPressed(false) }
}
