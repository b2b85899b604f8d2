import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { RentalRecord } from '#contract/rental.ts'
import { choiceFor, isChosen, readChoice } from '#web/buying/initial/choice.ts'
import { BuyPanel } from '#web/buying/panel/buy-panel.tsx'
import { loadPanel, type PanelSeed } from '#web/buying/panel/load-panel.ts'
import type { NumbersSeed } from '#web/live/apply-to-cache.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { readActiveFilter } from '#web/numbers/initial/active-filter.ts'
import { loadNumbers } from '#web/numbers/initial/load-numbers.ts'
import { RENTALS } from '#web/numbers/list/number-kind.ts'
import { RENT_MODE } from './rent-mode.ts'
import { type RentView, RentViews } from './rent-views.tsx'
import { RentedNumbers } from './rented-numbers.tsx'

type RentData = { panel: PanelSeed; numbers: NumbersSeed<RentalRecord> }

/** The query parameters of the list's filter. Renting removes them, because they must not hide the new number. */
const LIST_QUERY = ['ended', 'search', 'services', 'countries']

export const ownsQuery = true

export async function loader({ api, url, session, now }: LoaderInput): Promise<RentData> {
  const filter = readActiveFilter(url.searchParams, 'rental')
  const [panel, page] = await Promise.all([
    loadPanel(api, RENT_MODE, choiceFor(url.searchParams, session.user)),
    loadNumbers((input) => RENTALS.loadPage(api, input), filter, 1),
  ])
  return { panel, numbers: { filter, page, askedAt: now } }
}

export function Page() {
  const t = useTranslations('rent')
  const { panel, numbers } = useScreenData<typeof loader>()
  const [query, setParams] = useSearchParams()
  const [view, setView] = useState<RentView>(() => firstView(numbers, isChosen(readChoice(query))))

  function showRented(): void {
    setView('numbers')
    window.scrollTo({ top: 0 })
    // The URL stays unchanged without filters, because setting it again would reload the screen's data.
    if (!LIST_QUERY.some((name) => query.has(name))) return
    setParams(
      (before) => {
        const params = new URLSearchParams(before)
        for (const name of LIST_QUERY) params.delete(name)
        return params
      },
      { replace: true, preventScrollReset: true },
    )
  }
  const hidden = (other: RentView) => (view === other ? '' : 'max-lg:hidden')
  return (
    <>
      <PageHead title={t('title')} indexable={false} />
      <h1 className="sr-only">{t('title')}</h1>
      <RentViews view={view} onView={setView} />
      <div className="grid items-start gap-x-6 gap-y-10 xl:gap-x-8 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)] xl:grid-cols-[minmax(0,25rem)_minmax(0,1fr)]">
        <div className={`contents [--panel-rest:31rem] ${hidden('panel')}`}>
          <BuyPanel mode={RENT_MODE} seed={panel} onBought={showRented} />
        </div>
        <div className={`isolate min-w-0 ${hidden('numbers')}`}>
          <RentedNumbers panel={panel} seed={numbers} onRent={() => setView('panel')} />
        </div>
      </div>
    </>
  )
}

/** Returns a phone's first view: the panel for an unfinished choice, otherwise the rented numbers, if any. */
function firstView(numbers: RentData['numbers'], chooses: boolean): RentView {
  const asksForList = numbers.filter.ended !== undefined || numbers.filter.search !== undefined
  return (numbers.page.total_count > 0 && !chooses) || asksForList ? 'numbers' : 'panel'
}
