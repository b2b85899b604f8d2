import { formatSeconds, isShort, secondsUntil } from './time-left.ts'
import { useAtNow } from './use-at-now.ts'

/** The time until `at`, mm:ss, by the server's clock. Amber when it is short. Not read aloud each second. */
export function Countdown({ at, className = '' }: { at: string; className?: string }) {
  const seconds = useAtNow((nowMs) => secondsUntil(at, nowMs))
  return (
    <time
      dateTime={at}
      role="timer"
      aria-live="off"
      className={`tabular ${isShort(seconds) ? 'text-soon' : ''} ${className}`}
    >
      {formatSeconds(seconds)}
    </time>
  )
}
