import { useSyncExternalStore } from 'react'
import { useAppContext } from '#web/house/app-context.ts'

/** Calls `ask` every second with the server's time. The component renders only if the result changes. */
export function useAtNow<Answer extends string | number | boolean>(ask: (nowMs: number) => Answer): Answer {
  const { clock } = useAppContext()
  return useSyncExternalStore(
    clock.subscribe,
    () => ask(clock.nowMs()),
    () => ask(clock.pageNowMs),
  )
}
