import { useSyncExternalStore } from 'react'
import { useAppContext } from '#web/app-context.ts'

/** A question about the server's time, asked each second; the component renders again only when the answer changes. */
export function useAtNow<Answer extends string | number | boolean>(ask: (nowMs: number) => Answer): Answer {
  const { clock } = useAppContext()
  return useSyncExternalStore(
    clock.subscribe,
    () => ask(clock.nowMs()),
    () => ask(clock.pageNowMs),
  )
}
