import './home.css'
import { useTranslations } from 'use-intl'
import type { ActivationRecord } from '#contract/activation.ts'
import type { Api } from '#contract/calls/calls.ts'
import type { LatestPurchases } from '#contract/rental.ts'
import type { FactsReply } from '#contract/status/facts.ts'
import { choiceFor } from '#web/buying/initial/choice.ts'
import { useShowNumbers } from '#web/buying/initial/use-show-numbers.ts'
import { ACTIVATION_MODE } from '#web/buying/panel/activation-mode.ts'
import { BuyPanel } from '#web/buying/panel/buy-panel.tsx'
import { loadPanel, type PanelSeed } from '#web/buying/panel/load-panel.ts'
import { countriesInput } from '#web/buying/picker/catalog-inputs.ts'
import { useAppContext, useSession } from '#web/house/app-context.ts'
import { siteThings } from '#web/house/structured-data.ts'
import type { PreordersSeed } from '#web/live/apply-preorder.ts'
import type { NumbersSeed } from '#web/live/apply-to-cache.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useLocation, useScreenData } from '#web/navigation/use-page.ts'
import { readActiveFilter } from '#web/numbers/initial/active-filter.ts'
import { loadNumbers } from '#web/numbers/initial/load-numbers.ts'
import { NumbersWhenSignedIn } from './numbers-when-signed-in.tsx'
import type { PairSeed } from './showcase/use-shown-pair.ts'
import { ShowcaseLater } from './showcase-later.tsx'
import { VisitorTitle } from './visitor-title.tsx'

type HomeData = {
  panel: PanelSeed
  numbers: NumbersSeed<ActivationRecord> | null
  preorders: PreordersSeed | null
  visitors: { facts: FactsReply; popular: PairSeed | null } | null
  /** The data for the place of a member's numbers; null if there are some. */
  empty: { popular: PairSeed | null; latest: LatestPurchases['data'] } | null
}

export const ownsQuery = true

export async function loader({ api, url, session, now }: LoaderInput): Promise<HomeData> {
  const filter = readActiveFilter(url.searchParams, 'activation')
  const visitor = session.status === 'unauthenticated'
  const [panel, facts, page, preorders] = await Promise.all([
    loadPanel(api, ACTIVATION_MODE, choiceFor(url.searchParams, url.pathname === '/' ? session.user : null)),
    visitor ? api('GET /api/v1/facts', {}) : null,
    visitor ? null : loadNumbers((input) => api('GET /api/user/active-numbers', input), filter, 1),
    visitor ? null : api('GET /api/v1/preorders', {}),
  ])
  const isEmpty = page?.total_count === 0
  const [popular, latest] = await Promise.all([
    visitor || isEmpty ? loadPopular(api, panel) : null,
    isEmpty ? api('GET /api/user/latest-purchases', {}) : null,
  ])
  return {
    panel,
    visitors: facts === null ? null : { facts, popular },
    empty: latest === null ? null : { popular, latest: latest.data },
    numbers: page === null ? null : { filter, page, askedAt: now },
    preorders: preorders === null ? null : { ...preorders, askedAt: now },
  }
}

/** Loads what is shown while no service is chosen: the most popular service with numbers, and its countries. */
async function loadPopular(api: Api, panel: PanelSeed): Promise<PairSeed | null> {
  const { choice, services } = panel
  if (panel.service !== null) return null
  const service = services.services.find(({ price }) => price !== null)
  if (service === undefined) return null
  const input = countriesInput(
    ACTIVATION_MODE,
    { ...choice, serviceId: service.id },
    { part: 'first', sort: 'popular' },
  )
  return { service, countries: await api(ACTIVATION_MODE.calls.countries, input) }
}

export function Page() {
  const t = useTranslations('home')
  const { panel, numbers, preorders, visitors, empty } = useScreenData<typeof loader>()
  const { signedIn } = useSession()
  const showNumbers = useShowNumbers()
  const { pathname } = useLocation()
  const { page } = useAppContext()
  const isVisitors = !signedIn || numbers === null

  // Structured data is only for search engines, which read the server's HTML.
  const things = import.meta.env.SSR ? siteThings(page.publicUrl, t('visitorText')) : []

  return (
    <>
      {/* The other paths of this screen carry personal tokens, so search engines must not index them. */}
      <PageHead title={t('title')} description={t('visitorText')} indexable={pathname === '/'} things={things} />
      <h1 className="sr-only">{t('title')}</h1>
      <div
        className={`grid grid-cols-1 items-start gap-x-6 gap-y-10 xl:gap-x-8 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)] xl:grid-cols-[minmax(0,25rem)_minmax(0,1fr)] ${isVisitors ? 'max-lg:[--panel-rest:30rem] lg:grid-rows-[auto_1fr] lg:[&>form]:col-start-1 lg:[&>form]:row-span-2 lg:[&>form]:row-start-1' : ''}`}
      >
        {/* After a sign-in the visitor's part stays until the loader has the numbers, so they are requested once. */}
        {isVisitors ? <VisitorTitle /> : null}
        <BuyPanel mode={ACTIVATION_MODE} seed={panel} onBought={showNumbers} />
        {isVisitors ? (
          <div className="isolate flex min-w-0 flex-col gap-10 lg:col-start-2">
            <p className="max-w-xl text-[17px] text-muted lg:hidden">{t('visitorText')}</p>
            {visitors === null ? null : <ShowcaseLater panel={panel} {...visitors} />}
          </div>
        ) : (
          <NumbersWhenSignedIn seed={numbers} preorders={preorders} panel={panel} empty={empty} />
        )}
      </div>
    </>
  )
}
