import { useTranslations } from 'use-intl'
import type { RentalRecord } from '#contract/rental.ts'
import type { PanelSeed } from '#web/buying/panel/load-panel.ts'
import type { NumbersSeed } from '#web/live/apply-to-cache.ts'
import { Link } from '#web/navigation/link.tsx'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { RENTALS } from '#web/numbers/list/number-kind.ts'
import { NumbersList } from '#web/numbers/list/numbers-list.tsx'
import { RentTicket } from '#web/numbers/rent-ticket/rent-ticket.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { SEGMENTS, segmentLook } from '#web/ui/segments.ts'
import { FirstRental } from './first-rental.tsx'

type RentedNumbersProps = {
  panel: PanelSeed
  seed: NumbersSeed<RentalRecord>
  onRent: () => void
}

export function RentedNumbers({ panel, seed, onRent }: RentedNumbersProps) {
  const t = useTranslations('rent')
  const [params] = useSearchParams()
  const ended = params.get('ended') === '1'
  return (
    <NumbersList
      kind={RENTALS}
      seed={seed}
      heading={
        <>
          <h2 id="numbers-heading" className="sr-only">
            {t('yourNumbers')}
          </h2>
          <EndedTabs params={params} ended={ended} />
        </>
      }
      itemHeading="h3"
      renderTicket={(record) => <RentTicket record={record} heading="h3" dismissible={!ended} />}
      empty={
        ended ? (
          <EmptyState drawing="ticket" title={t('emptyEndedTitle')} text={t('emptyEndedText')} />
        ) : (
          <>
            <Button kind="primary" className="self-start lg:hidden" onClick={onRent}>
              {t('views.panel')}
            </Button>
            <FirstRental panel={panel} />
          </>
        )
      }
    />
  )
}

/** On a wide screen the tabs with their border are as high as the search and the order beside them. */
const LOW_TAB =
  "lg:relative lg:min-h-8.5! lg:after:absolute lg:after:inset-x-0 lg:after:-inset-y-0.75 lg:after:content-['']"

function EndedTabs({ params, ended }: { params: URLSearchParams; ended: boolean }) {
  const t = useTranslations('rent.tabs')
  const searchOf = (toEnded: boolean) => {
    const next = new URLSearchParams(params)
    if (toEnded) next.set('ended', '1')
    else next.delete('ended')
    return `?${next}`
  }
  return (
    <nav aria-label={t('label')} className={`${SEGMENTS} inline-flex`}>
      {[false, true].map((toEnded) => (
        <Link
          key={String(toEnded)}
          to={{ search: searchOf(toEnded) }}
          className={`${LOW_TAB} ${segmentLook(toEnded === ended)}`}
          replace
          preventScrollReset
          aria-current={toEnded === ended ? 'page' : undefined}
        >
          {toEnded ? t('ended') : t('active')}
        </Link>
      ))}
    </nav>
  )
}
