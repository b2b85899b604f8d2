import { useMemo, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { StatisticsReply } from '#contract/past/history.ts'
import { useTimeZone } from '#web/past/time-zone.ts'
import { Plot } from '#web/ui/chart/plot.tsx'
import { plotsOf } from './plots-of.ts'
import { StepTable } from './step-table.tsx'

export function Plots({ data }: { data: StatisticsReply['data'] }) {
  const t = useTranslations('statistic')
  const locale = useLocale()
  const [failed, setFailed] = useState(false)
  const timeZone = useTimeZone() ?? 'UTC'
  const plots = useMemo(() => plotsOf(data, { t, locale, timeZone }), [data, t, locale, timeZone])
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-2">
        {plots.map((plot) => (
          <Plot key={plot.title} {...plot} failedText={t('plot.failed')} onFailed={() => setFailed(true)} />
        ))}
      </div>
      <StepTable data={data} isNeeded={failed} />
    </>
  )
}
