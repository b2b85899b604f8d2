import { useLocale, useTranslations } from 'use-intl'
import type { FactsReply } from '#contract/status/facts.ts'
import { useSettings } from '#web/house/app-context.ts'
import { formatCount, formatPercent } from '#web/ui/marks/initial/measured-words.ts'

/** Shows what was measured over all services. A figure with too few purchases is left out. */
export function MeasuredFacts({ facts: { codes, wait, returned, days } }: { facts: FactsReply }) {
  const t = useTranslations('home.facts')
  const tBuy = useTranslations('buy')
  const locale = useLocale()
  const { demo } = useSettings()
  const shown: [figure: string, words: string, sample: string][] = []
  if (codes !== null) {
    shown.push([formatPercent(codes.share, locale), t('codes'), t('codesOf', { count: codes.purchases })])
  }
  if (wait !== null) {
    const seconds = Math.max(1, Math.round(wait.median_seconds))
    shown.push([tBuy('medianSeconds', { seconds }), t('wait'), t('waitOf', { count: wait.codes })])
  }
  if (returned !== null) {
    const { purchases } = returned
    shown.push([formatCount(purchases, locale), t('returned', { count: purchases }), t('returnedOf')])
  }
  if (shown.length === 0) return null
  return (
    <section aria-label={t('title', { days })} className="@container">
      <dl className="grid gap-x-6 gap-y-5 sm:grid-cols-3">
        {shown.map(([figure, words, sample]) => (
          <div key={words} className="flex flex-col border-t-2 border-ink pt-3">
            <dt className="order-2 mt-1.5 leading-snug font-medium">{words}</dt>
            <dd className="tabular order-1 text-[2.75rem] sm:text-[clamp(1.75rem,5.4cqi,2.75rem)] leading-none font-semibold tracking-tight whitespace-nowrap">
              {figure}
            </dd>
            <dd className="order-3 mt-1 text-[13px] text-muted">{sample}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-[13px] text-muted">{demo ? t('simulated', { days }) : t('over', { days })}</p>
    </section>
  )
}
