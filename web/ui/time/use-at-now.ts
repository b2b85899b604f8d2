import { useSyncExternalStore } from 'react'
import { useAppContext } from '#web/house/app-context.ts'

/** Computes a value from the server's time each second, and renders the component only if the value changes. */
export function useAtNow<Answer extends string | number | boolean>(ask: (nowMs: number) => Answer): Answer {
  const { clock } = useAppContext()
  return useSyncExternalStore(
    clock.subscribe,
    () => ask(clock.nowMs()),
    () => ask(clock.pageNowMs),
  )
}
