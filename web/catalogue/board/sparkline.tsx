import { useLocale, useTranslations } from 'use-intl'
import { formatPercent } from '#web/ui/marks/initial/measured-words.ts'

const WIDTH = 230
const HEIGHT = 40

/**
 * Renders codes by hour as a line, without a script. `codes` begins with the oldest hour and ends with the current one,
 * which is not drawn, because an unfinished hour would look like a collapse.
 */
export function Sparkline({ codes }: { codes: readonly number[] }) {
  const t = useTranslations('directory')
  const locale = useLocale()
  const finished = codes.slice(0, -1)
  const best = Math.max(0, ...finished)
  if (best === 0) return null
  const step = WIDTH / Math.max(1, finished.length - 1)
  const last = finished.at(-1) ?? 0
  const points = finished.map(
    (count, hour) => `${(hour * step).toFixed(1)},${(HEIGHT - (count / best) * HEIGHT).toFixed(1)}`,
  )
  const lastX = ((finished.length - 1) * step).toFixed(1)
  const hoursSinceBest = finished.length - finished.lastIndexOf(best)
  return (
    <figure className="max-w-xl">
      <figcaption className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold">{t('codesByHour')}</span>
        <span className="tabular text-[13px] text-muted">
          {last === 0 ? t('noCodesLastHour') : t('codesLastHour', { percent: formatPercent(last / best, locale) })}
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={t('codesAlternative', { hours: finished.length, best: hoursSinceBest })}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="spark"
      >
        <polygon className="spark-area" points={`0,${HEIGHT} ${points.join(' ')} ${lastX},${HEIGHT}`} />
        <polyline className="spark-line" points={points.join(' ')} />
      </svg>
      <div aria-hidden className="mt-1 flex justify-between text-[13px] text-muted">
        <span>{t('hoursAgo', { hours: finished.length })}</span>
        <span>{t('now')}</span>
      </div>
    </figure>
  )
}
