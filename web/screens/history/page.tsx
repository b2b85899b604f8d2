import { useScreenData } from '#web/navigation/use-page.ts'
import './history.css'
import { useTranslations } from 'use-intl'
import type { LoaderInput } from '#web/loader-input.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { rangeOf } from '#web/past/past-days.ts'
import { useTimeZone, useToday } from '#web/past/time-zone.ts'
import { PageHead } from '#web/ui/page-head.tsx'
import { ExportButton } from './export-button.tsx'
import { type HistoryChoice, historyInput, movementsInput, readHistory, writeHistory } from './history-filter.ts'
import { HistoryToolbar } from './history-toolbar.tsx'
import { MoneyView } from './money-view.tsx'
import { NumbersView } from './numbers-view.tsx'
import { usePastNews } from './past-news.ts'
import type { HistorySeed } from './use-history.ts'
import { ViewTabs } from './view-tabs.tsx'

export const ownsQuery = true

/** Loads the first page unless days are chosen, which only the browser knows (web/past/time-zone.ts). */
export async function loader({ api, url }: LoaderInput): Promise<HistorySeed | null> {
  const choice = readHistory(url.searchParams)
  const range = rangeOf(choice.days, null)
  if (range === null || range.from !== undefined || range.to !== undefined) return null
  if (choice.view === 'money') {
    const input = movementsInput(choice, { range, timeZone: null })
    return { view: 'money', input, page: await api('GET /api/v1/movements', input) }
  }
  const input = historyInput(choice, { range, timeZone: null })
  return { view: 'numbers', input, page: await api('GET /api/v1/history', input) }
}

export function Page() {
  const t = useTranslations('history')
  const [params, setParams] = useSearchParams()
  const choice = readHistory(params)
  const days = useDays(choice)
  const seed = useScreenData<typeof loader>()
  usePastNews()
  const choose = (next: HistoryChoice) => {
    setParams((before) => writeHistory(before, next), { replace: true, preventScrollReset: true, flushSync: true })
  }
  const input =
    days === null ? null : choice.view === 'money' ? movementsInput(choice, days) : historyInput(choice, days)
  return (
    <>
      <PageHead title={t('title')} indexable={false} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 className="text-2xl font-semibold tracking-tight">{t('title')}</h1>
        <ExportButton view={choice.view} input={input} />
      </div>
      <ViewTabs choice={choice} />
      <HistoryToolbar choice={choice} onChoose={choose} />
      {choice.view === 'money' ? (
        <MoneyView choice={choice} input={days && movementsInput(choice, days)} seed={seed} onChoose={choose} />
      ) : (
        <NumbersView choice={choice} input={days && historyInput(choice, days)} seed={seed} onChoose={choose} />
      )}
    </>
  )
}

/** null while days are chosen and the reader's time zone is unknown. */
function useDays({ days }: HistoryChoice) {
  const timeZone = useTimeZone()
  const range = rangeOf(days, useToday())
  if (range === null) return null
  const dated = range.from !== undefined || range.to !== undefined
  return dated && timeZone === null ? null : { range, timeZone }
}
