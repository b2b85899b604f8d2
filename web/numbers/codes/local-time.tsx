import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Empty on the server and in the first rendering, because only the browser knows the time zone. */
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
