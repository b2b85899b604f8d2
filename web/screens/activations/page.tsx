import { Link } from 'react-router'
import { useTranslations } from 'use-intl'
import type { ActivationRecord } from '#contract/activation.ts'
import type { PreordersReply } from '#contract/preorder.ts'
import { buttonLook } from '../../components/button.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { PreorderList } from '../../components/preorder/preorder-list.tsx'
import { readActiveFilter } from '../../components/ticket/active-filter.ts'
import { ACTIVATIONS } from '../../components/ticket/number-kind.ts'
import { NumbersList } from '../../components/ticket/numbers-list.tsx'
import { Ticket } from '../../components/ticket/ticket.tsx'
import type { NumbersSeed } from '../../components/ticket/use-numbers.ts'
import { type LoaderInput, useScreenData } from '../../loader-input.ts'

type ActivationsData = { numbers: NumbersSeed<ActivationRecord>; preorders: PreordersReply }

export const ownsQuery = true

export async function loader({ api, url }: LoaderInput): Promise<ActivationsData> {
  const filter = readActiveFilter(url.searchParams, 'activation')
  const [page, preorders] = await Promise.all([
    ACTIVATIONS.loadPage(api, { ...filter, page: 1 }),
    api('GET /api/v1/preorders', {}),
  ])
  return { numbers: { filter, page }, preorders }
}

/** The person's active numbers. */
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
        renderTicket={(record) => <Ticket record={record} heading="h2" />}
        empty={{
          title: t('emptyTitle'),
          text: t('emptyText'),
          button: (
            <Link to="/" className={buttonLook('primary')}>
              {t('buy')}
            </Link>
          ),
        }}
      />
    </>
  )
}
