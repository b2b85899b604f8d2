import { useSyncExternalStore } from 'react'
import { useAppContext } from '#web/house/app-context.ts'

/** Evaluates `ask` every second by the server's clock. Renders only when the answer changes. */
export function useAtNow<Answer extends string | number | boolean>(ask: (nowMs: number) => Answer): Answer {
  const { clock } = useAppContext()
  return useSyncExternalStore(
    clock.subscribe,
    () => ask(clock.nowMs()),
    () => ask(clock.pageNowMs),
  )
}
