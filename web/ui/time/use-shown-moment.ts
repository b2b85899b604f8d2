import { use, useSyncExternalStore } from 'react'
import { useAppContext } from '#web/app-context.ts'
import { ShownTimeZone } from './shown-time-zone.ts'

type Reader = { timeZone: string | undefined; nowMs: number }

const never = () => () => undefined

/**
 * The words of a moment for its reader. A zone of their settings the server knows, too. That of a browser only the browser
 * knows: until then it is `unknown`. A server may write a date otherwise than a browser, so mark the element for React.
 */
export function useShownMoment<Words extends string | boolean>(
  wordsFor: (reader: Reader) => Words,
  unknown: Words,
): Words {
  const timeZone = use(ShownTimeZone)
  const { clock } = useAppContext()
  return useSyncExternalStore(
    never,
    () => wordsFor({ timeZone, nowMs: Date.now() }),
    () => (timeZone === undefined ? unknown : wordsFor({ timeZone, nowMs: clock.pageNowMs })),
  )
}
