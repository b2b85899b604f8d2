import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { LoyaltyReply, LoyaltyTerms } from '#contract/programmes/loyalty.ts'
import { MINUTE } from '#contract/time.ts'
import { useAppContext, useSession } from '#web/house/app-context.ts'
import { PAYMENTS_KEY } from '#web/live/apply-payment.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { loadDocument } from '#web/reading/load-document.ts'
import { TextPage } from '#web/reading/text-page.tsx'
import { RankLine } from './rank-line.tsx'
import { PastRewards, Standing } from './standing.tsx'

export async function loader({ api, session, now }: LoaderInput) {
  const [text, { loyalty }, standing] = await Promise.all([
    loadDocument(api, 'loyalty'),
    api('GET /api/v1/programmes', {}),
    session.status === 'authenticated' ? api('GET /api/v1/loyalty', {}) : null,
  ])
  return { askedAt: now, text, loyalty, standing }
}

export function Page() {
  const t = useTranslations('programmes')
  const seed = useScreenData<typeof loader>()
  const { text, loyalty } = seed
  const standing = useLoyalty(seed)
  const current = standing?.current ?? null
  return (
    <>
      <PageHead title={text.title} description={text.description} />
      <TextPage
        text={text}
        lead={
          <section className="mb-10 max-w-3xl rounded border border-hairline bg-surface p-4 sm:p-5">
            {current !== null ? (
              <Standing current={current} />
            ) : (
              <>
                <h2 className="text-lg font-semibold tracking-tight">{t('loyaltyTitle')}</h2>
                {loyalty === null ? <p className="mt-1">{t('loyaltyNone')}</p> : <Terms {...loyalty} />}
              </>
            )}
            {standing === null ? null : <PastRewards {...standing} />}
          </section>
        }
      />
    </>
  )
}

function Terms({ period, time_zone: zone, currency, ranks }: LoyaltyTerms) {
  const t = useTranslations('programmes')
  return (
    <>
      <p className="mt-1">{period === 'week' ? t('loyaltyWeek', { zone }) : t('loyaltyMonth', { zone })}</p>
      <RankLine ranks={ranks} currency={currency} toppedUp={null} />
    </>
  )
}

/** Returns null if signed out. Payment events refetch the data, and polling detects the end of a period. */
function useLoyalty({ askedAt, standing }: { askedAt: string; standing: LoyaltyReply | null }) {
  const { api } = useAppContext()
  const { status } = useSession()
  const query = useQuery({
    queryKey: [PAYMENTS_KEY, 'loyalty', askedAt],
    queryFn: ({ signal }) => api('GET /api/v1/loyalty', {}, { signal }),
    enabled: status === 'authenticated',
    initialData: standing ?? undefined,
    refetchInterval: MINUTE,
    gcTime: 0,
  })
  return status === 'authenticated' ? (query.data ?? null) : null
}
