import { use, useSyncExternalStore } from 'react'
import { useAppContext } from '#web/house/app-context.ts'
import { ShownTimeZone } from './shown-time-zone.ts'

type Reader = { timeZone: string | undefined; nowMs: number }

const never = () => () => undefined

/**
 * Returns the text of a moment; `unknown` if neither the settings nor an earlier visit told the reader's zone. A server
 * may format a date differently from a browser, so mark the element with suppressHydrationWarning.
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
