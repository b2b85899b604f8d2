import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { formatMoment } from '#web/ui/time/moment-format.ts'
import { useShownMoment } from '#web/ui/time/use-shown-moment.ts'
import { LocalTime } from './local-time.tsx'

export function MessageTime(props: { at: string; className: string }) {
  const today = useShownMoment(({ timeZone, nowMs }) => {
    const dayOf = (moment: string | number) => formatMoment(moment, { look: 'day', locale: 'en-GB', timeZone })
    return dayOf(props.at) === dayOf(nowMs)
  }, true)
  return today ? <LocalTime {...props} /> : <LocalMoment {...props} />
}
