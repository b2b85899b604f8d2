import { useTranslations } from 'use-intl'
import type { ActivationRecord } from '#contract/activation.ts'
import { PreorderList } from '#web/buying/preorder/preorder-list.tsx'
import type { PreordersSeed } from '#web/live/apply-preorder.ts'
import type { NumbersSeed } from '#web/live/apply-to-cache.ts'
import { Link } from '#web/navigation/link.tsx'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { readActiveFilter } from '#web/numbers/initial/active-filter.ts'
import { loadNumbers } from '#web/numbers/initial/load-numbers.ts'
import { HistoryLink } from '#web/numbers/list/history-link.tsx'
import { ACTIVATIONS } from '#web/numbers/list/number-kind.ts'
import { NumbersList } from '#web/numbers/list/numbers-list.tsx'
import { Ticket } from '#web/numbers/ticket/ticket.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

type ActivationsData = { numbers: NumbersSeed<ActivationRecord>; preorders: PreordersSeed }

export const ownsQuery = true

export async function loader({ api, url, now }: LoaderInput): Promise<ActivationsData> {
  const filter = readActiveFilter(url.searchParams, 'activation')
  const [page, preorders] = await Promise.all([
    loadNumbers((input) => ACTIVATIONS.loadPage(api, input), filter, 1),
    api('GET /api/v1/preorders', {}),
  ])
  return { numbers: { filter, page, askedAt: now }, preorders: { ...preorders, askedAt: now } }
}

export function Page() {
  const t = useTranslations('activations')
  const { numbers, preorders } = useScreenData<typeof loader>()
  return (
    <>
      <PageHead title={t('title')} indexable={false} />
      <NumbersList
        kind={ACTIVATIONS}
        seed={numbers}
        above={<PreorderList seed={preorders} />}
        heading={
          <h1 id="numbers-heading" className="text-2xl font-semibold tracking-tight">
            {t('title')}
          </h1>
        }
        itemHeading="h2"
        renderTicket={(record) => <Ticket record={record} heading="h2" />}
        empty={
          <EmptyState drawing="ticket" title={t('emptyTitle')} text={t('emptyText')}>
            <div className="flex flex-wrap gap-2">
              <Link to="/" className={buttonLook('primary')}>
                {t('buy')}
              </Link>
              <HistoryLink />
            </div>
          </EmptyState>
        }
      />
    </>
  )
}
