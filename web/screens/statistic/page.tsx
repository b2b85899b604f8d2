import { useScreenData } from '#web/navigation/use-page.ts'
import './statistic.css'
import { useTranslations } from 'use-intl'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { OwnStatistic } from './own-statistic.tsx'
import { Quality, type QualitySeed } from './quality.tsx'
import { qualityInput, readStatistic, type StatisticChoice, writeStatistic } from './statistic-filter.ts'

export const ownsQuery = true

/** Loads only the figures of all users, because the user's own figures depend on the browser's time zone. */
export async function loader({ api, url }: LoaderInput): Promise<QualitySeed> {
  const input = qualityInput(readStatistic(url.searchParams))
  return { input, page: await api('GET /api/v1/quality', { ...input, page: 1 }) }
}

export function Page() {
  const t = useTranslations('statistic')
  const [params, setParams] = useSearchParams()
  const choice = readStatistic(params)
  const choose = (next: StatisticChoice) => {
    setParams((before) => writeStatistic(before, next), { replace: true, preventScrollReset: true, flushSync: true })
  }
  return (
    <>
      <PageHead title={t('title')} indexable={false} />
      <h1 className="text-2xl font-semibold tracking-tight">{t('title')}</h1>
      <OwnStatistic choice={choice} onChoose={choose} />
      <Quality choice={choice} seed={useScreenData<typeof loader>()} onChoose={choose} />
    </>
  )
}
