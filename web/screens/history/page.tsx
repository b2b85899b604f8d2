import { useScreenData } from '#web/navigation/use-page.ts'
import './history.css'
import { useTranslations } from 'use-intl'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { rangeOf } from '#web/past/past-days.ts'
import { useTimeZone, useToday } from '#web/past/time-zone.ts'
import { ExportButton } from './export-button.tsx'
import {
  entriesInput,
  type HistoryChoice,
  historyInput,
  paymentsInput,
  readHistory,
  statementInput,
  writeHistory,
} from './history-filter.ts'
import { HistoryToolbar } from './history-toolbar.tsx'
import { MoneyView } from './money/money-view.tsx'
import { NumbersView } from './numbers-view.tsx'
import { usePastNews } from './past-events.ts'
import { PaymentsView } from './payments/payments-view.tsx'
import { Receipt } from './payments/receipt.tsx'
import { StatementView } from './statement/statement-view.tsx'
import type { HistorySeed } from './use-history.ts'
import { ViewTabs } from './view-tabs.tsx'

export const ownsQuery = true

/** Loads the list's first page; nothing if days are chosen, because only the browser knows the time zone. */
export async function loader({ api, url }: LoaderInput): Promise<HistorySeed | null> {
  const choice = readHistory(url.searchParams)
  const range = rangeOf(choice.days, null)
  if (range === null || range.from !== undefined || range.to !== undefined || choice.payment !== null) return null
  const days = { range, timeZone: null }
  switch (choice.view) {
    case 'numbers': {
      const input = historyInput(choice, days)
      return { view: 'numbers', input, page: await api('GET /api/v1/history', input) }
    }
    case 'money': {
      const input = entriesInput(choice, days)
      return { view: 'money', input, page: await api('GET /api/v1/entries', input) }
    }
    case 'payments': {
      const input = paymentsInput(choice, days)
      return { view: 'payments', input, page: await api('GET /api/payments-history', input) }
    }
    // The sums of a statement wait in a queue on the server, and the page must not wait for them.
    case 'statement':
      return null
  }
}

export function Page() {
  const t = useTranslations('history')
  const [params, setParams] = useSearchParams()
  const choice = readHistory(params)
  usePastNews()
  const choose = (next: HistoryChoice) => {
    setParams((before) => writeHistory(before, next), { replace: true, preventScrollReset: true, flushSync: true })
  }
  return (
    <>
      <PageHead title={t('title')} indexable={false} />
      {choice.view === 'payments' && choice.payment !== null ? (
        <Receipt transactionId={choice.payment} choice={choice} />
      ) : (
        <Past choice={choice} onChoose={choose} />
      )}
    </>
  )
}

type PastProps = { choice: HistoryChoice; onChoose: (choice: HistoryChoice) => void }

function Past({ choice, onChoose }: PastProps) {
  const t = useTranslations('history')
  const days = useDays(choice)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 print:hidden">
        <h1 className="text-2xl font-semibold tracking-tight">{t('title')}</h1>
        <FileButton choice={choice} days={days} />
      </div>
      <ViewTabs choice={choice} />
      <div className="print:hidden">
        <HistoryToolbar choice={choice} onChoose={onChoose} />
      </div>
      <OpenView choice={choice} days={days} onChoose={onChoose} />
    </>
  )
}

type ChosenDays = ReturnType<typeof useDays>

/** Payments have no download, because the file of the money view has their movements. */
function FileButton({ choice, days }: { choice: HistoryChoice; days: ChosenDays }) {
  switch (choice.view) {
    case 'numbers':
      return <ExportButton view="numbers" input={days && historyInput(choice, days)} />
    case 'money':
      return <ExportButton view="money" input={days && entriesInput(choice, days)} />
    case 'statement':
      return <ExportButton view="statement" input={days && statementInput(days)} />
    case 'payments':
      return null
  }
}

function OpenView({ choice, days, onChoose }: PastProps & { days: ChosenDays }) {
  const seed = useScreenData<typeof loader>()
  const view = { choice, seed, onChoose }
  switch (choice.view) {
    case 'numbers':
      return <NumbersView {...view} input={days && historyInput(choice, days)} />
    case 'money':
      return <MoneyView {...view} input={days && entriesInput(choice, days)} />
    case 'payments':
      return <PaymentsView {...view} input={days && paymentsInput(choice, days)} />
    case 'statement':
      return <StatementView input={days && statementInput(days)} />
  }
}

/** Returns null if days are chosen and the reader's time zone is not known yet. */
function useDays({ days }: HistoryChoice) {
  const timeZone = useTimeZone()
  const range = rangeOf(days, useToday())
  if (range === null) return null
  const dated = range.from !== undefined || range.to !== undefined
  return dated && timeZone === null ? null : { range, timeZone }
}
