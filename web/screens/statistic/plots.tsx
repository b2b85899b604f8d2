import { useMemo, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { StatisticsReply } from '#contract/past/history.ts'
import { Plot } from '#web/ui/chart/plot.tsx'
import { DayTable } from './day-table.tsx'
import { plotsOf } from './plots-of.ts'

export function Plots({ data }: { data: StatisticsReply['data'] }) {
  const t = useTranslations('statistic')
  const locale = useLocale()
  const [failed, setFailed] = useState(false)
  const plots = useMemo(() => plotsOf(data, { t, locale }), [data, t, locale])
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-2">
        {plots.map((plot) => (
          <Plot key={plot.title} {...plot} failedText={t('plot.failed')} onFailed={() => setFailed(true)} />
        ))}
      </div>
      <DayTable data={data} isNeeded={failed} />
    </>
  )
}
