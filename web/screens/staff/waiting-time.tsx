import { useTranslations } from 'use-intl'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'

const LONG_HOURS = 4

export function WaitingTime({ since }: { since: string }) {
  const t = useTranslations('staff.waits')
  const minutes = useAtNow((nowMs) => Math.max(0, Math.floor((nowMs - Date.parse(since)) / MINUTE)))
  const isLong = minutes * MINUTE >= LONG_HOURS * HOUR
  return (
    <time dateTime={since} className={`tabular whitespace-nowrap ${isLong ? 'font-semibold text-error' : 'text-soon'}`}>
      {wordsOf(t, minutes)}
    </time>
  )
}

function wordsOf(t: ReturnType<typeof useTranslations<'staff.waits'>>, minutes: number): string {
  if (minutes === 0) return t('now')
  const ms = minutes * MINUTE
  if (ms < HOUR) return t('minutes', { count: minutes })
  return ms < DAY ? t('hours', { count: Math.floor(ms / HOUR) }) : t('days', { count: Math.floor(ms / DAY) })
}
