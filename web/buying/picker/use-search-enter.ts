import { useEffect, useEffectEvent, useState } from 'react'
import { inBackground } from '#web/house/in-background.ts'

/** Returns handlers of a search field: `press` runs `act` once the results are `ready`, and `forget` cancels that. */
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
