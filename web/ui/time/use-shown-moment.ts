import { use, useSyncExternalStore } from 'react'
import { useAppContext } from '#web/house/app-context.ts'
import { ShownTimeZone } from './shown-time-zone.ts'

type Reader = { timeZone: string | undefined; nowMs: number }

const never = () => () => undefined

/**
 * The words of a moment for its reader. The server knows the zone of their settings, and that of the browser from a
 * visit before; else it is `unknown`. A server may write a date otherwise than a browser, so mark the element for React.
 */
export function useShownMoment<Words extends string | boolean>(
  wordsFor: (reader: Reader) => Words,
  unknown: Words,
): Words {
  const timeZone = use(ShownTimeZone)
  const { clock, page } = useAppContext()
  const drawnZone = timeZone ?? page.browserTimeZone ?? undefined
  return useSyncExternalStore(
    never,
    () => wordsFor({ timeZone, nowMs: Date.now() }),
    () => (drawnZone === undefined ? unknown : wordsFor({ timeZone: drawnZone, nowMs: clock.pageNowMs })),
  )
}
