import { Link } from 'react-router'
import { useTranslations } from 'use-intl'
import { buttonLook } from '../../components/button.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { readActiveFilter } from '../../components/ticket/active-filter.ts'
import type { ActiveNumbersSeed } from '../../components/ticket/active-numbers.ts'
import { NumbersList } from '../../components/ticket/numbers-list.tsx'
import { type LoaderInput, useScreenData } from '../../loader-input.ts'

export const ownsQuery = true

export async function loader({ api, url }: LoaderInput): Promise<ActiveNumbersSeed> {
  const filter = readActiveFilter(url.searchParams)
  return { filter, page: await api('GET /api/user/active-numbers', { ...filter, page: 1 }) }
}

/** The person's active numbers. */
export function Page() {
  const t = useTranslations('activations')
  return (
    <>
      <PageHead title={t('title')} indexable={false} />
      <NumbersList
        seed={useScreenData<typeof loader>()}
        heading={
          <h1 id="numbers-heading" className="text-2xl font-semibold tracking-tight">
            {t('title')}
          </h1>
        }
        ticketHeading="h2"
        empty={{
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
