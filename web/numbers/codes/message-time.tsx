import { use, useSyncExternalStore } from 'react'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { formatMoment } from '#web/ui/time/moment-format.ts'
import { ShownTimeZone } from '#web/ui/time/shown-time-zone.ts'
import { LocalTime } from './local-time.tsx'

const never = () => () => undefined

/** Today's messages show the time only. Which day it is, only the browser knows. */
export function MessageTime(props: { at: string; className: string }) {
  const timeZone = use(ShownTimeZone)
  const dayOf = (moment: string | number) => formatMoment(moment, { look: 'day', locale: 'en-GB', timeZone })
  const today = useSyncExternalStore(
    never,
    () => dayOf(props.at) === dayOf(Date.now()),
    () => true,
  )
  return today ? <LocalTime {...props} /> : <LocalMoment {...props} />
}
