import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/**
 * The hour and minute of a moment where the reader is. The server does not know his time zone, so its rendering and the
 * first one in the browser leave the place empty.
 */
export function LocalTime({ at, className = '' }: { at: string; className?: string }) {
  const text = useSyncExternalStore(
    never,
    () => hourAndMinute(new Date(at)),
    () => '',
  )
  return (
    <time dateTime={at} className={`tabular inline-block min-w-[5ch] ${className}`}>
      {text}
    </time>
  )
}

function hourAndMinute(moment: Date): string {
  return `${String(moment.getHours()).padStart(2, '0')}:${String(moment.getMinutes()).padStart(2, '0')}`
}
