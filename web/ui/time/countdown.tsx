import { formatSeconds, isShort, secondsUntil } from './time-left.ts'
import { useAtNow } from './use-at-now.ts'

/** Counts down as mm:ss by the server's clock. Screen readers do not announce each second. */
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
