import { ChevronDown } from 'lucide-react'
import { useLocale, useTranslations } from 'use-intl'
import { Board } from '#web/buying/board/board.tsx'
import { readBoardView, shownRows, withParam } from '#web/catalogue/board/board-rows.ts'
import { pathOf } from '#web/catalogue/directory-paths.ts'
import { ItemIcon } from '#web/catalogue/item-icon.tsx'
import { SeoLayout } from '#web/catalogue/seo-layout.tsx'
import { Simulated } from '#web/catalogue/simulated.tsx'
import { useAppContext } from '#web/house/app-context.ts'
import { breadcrumbList } from '#web/house/structured-data.ts'
import { Link } from '#web/navigation/link.tsx'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { buttonLook } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { BoardTools } from './board-tools.tsx'
import { listItems, loadPrices, type Prices, type PricesWanted, readWanted } from './load-prices.ts'
import { PickList } from './pick-list.tsx'
import { type PricesSeed, usePrices } from './use-prices.ts'

export const ownsQuery = true

export async function loader({ api, url }: LoaderInput): Promise<PricesSeed> {
  const wanted = readWanted(url.searchParams)
  const items = await listItems(api, wanted.by, '')
  return { wanted, items, prices: await loadPrices(api, wanted, items) }
}

export function Page() {
  const t = useTranslations('priceList')
  const tDirectory = useTranslations('directory')
  const { page: app } = useAppContext()
  const seed = useScreenData<typeof loader>()
  const { prices, wanted, stale } = usePrices(seed)
  const [params] = useSearchParams()
  const isPicking = params.get('pick') === '1'
  const crumbs = [
    { title: tDirectory('home'), path: '/' },
    { title: t('title'), path: '/price' },
  ]
  const { item } = prices
  return (
    <SeoLayout crumbs={crumbs}>
      <PageHead
        title={item === null || wanted.chosen === '' ? t('title') : t('titleOf', { name: item.name })}
        description={t('description', { count: prices.total, name: item?.name ?? '' })}
        indexable={params.size === 0}
        things={[breadcrumbList(app.publicUrl, crumbs)]}
      />
      <h1 className="text-3xl font-semibold tracking-tight">{t('title')}</h1>
      <p className="mt-2 max-w-2xl text-muted max-lg:hidden">{t('text')}</p>
      <div className="mt-3 grid items-start gap-x-8 gap-y-4 lg:mt-5 lg:grid-cols-[18rem_minmax(0,1fr)]">
        <section
          aria-label={t('pickTitle')}
          className={`min-w-0 lg:sticky lg:top-22 ${isPicking ? '' : 'max-lg:hidden'}`}
        >
          <PickList key={wanted.by} by={wanted.by} chosenId={item === null ? null : String(item.id)} seed={seed} />
        </section>
        <div className={`min-w-0 ${isPicking ? 'max-lg:hidden' : ''}`} aria-busy={stale}>
          <Chosen prices={prices} wanted={wanted} />
          <Simulated />
          <p className="mt-3 text-muted lg:hidden">{t('text')}</p>
        </div>
      </div>
    </SeoLayout>
  )
}

function Chosen({ prices, wanted }: { prices: Prices; wanted: PricesWanted }) {
  const t = useTranslations('priceList')
  const tDirectory = useTranslations('directory')
  const [params] = useSearchParams()
  const view = readBoardView(params)
  const { item, rows, total, currency } = prices
  const { by } = wanted
  const locale = useLocale()
  const pickPath = { search: withParam(params.toString(), 'pick', '1') }
  if (item === null) {
    return (
      <EmptyState drawing="stamp" title={t('noneTitle')} text={t('noneText')}>
        <Link to={pickPath} className={`lg:hidden ${buttonLook()}`}>
          {t(`change.${by}`)}
        </Link>
      </EmptyState>
    )
  }
  return (
    <>
      <div className="mb-2 flex items-center justify-between gap-x-4 lg:mb-3">
        <h2 className="flex min-w-0 items-center gap-2.5 text-xl font-semibold tracking-tight max-lg:hidden">
          <ItemIcon item={item} />
          {item.name}
        </h2>
        <Link
          to={pickPath}
          className={`min-h-11! min-w-0 lg:hidden ${buttonLook()}`}
          aria-label={t('changeFrom', { name: item.name })}
        >
          <ItemIcon item={item} />
          <span className="truncate text-[17px] font-semibold">{item.name}</span>
          <ChevronDown size={16} aria-hidden className="shrink-0 text-muted" />
        </Link>
        <Link to={pathOf(by, item)} className="inline-flex min-h-11 shrink-0 items-center underline underline-offset-4">
          <span className="max-lg:hidden">{t('about', { name: item.name })}</span>
          <span className="lg:hidden">{t('aboutShort')}</span>
        </Link>
      </div>
      <BoardTools wanted={wanted} itemId={String(item.id)} view={view} />
      <p className="mb-2 text-[13px] text-muted" role="status">
        {t(`found.${by}`, { count: total > rows.length ? total : shownRows(rows, view, locale).length })}
        {total > rows.length ? ` ${t('foundFirst', { count: rows.length })}` : ''}
      </p>
      <Board
        item={item}
        kind={by === 'services' ? 'countries' : 'services'}
        rows={rows}
        currency={currency}
        view={view}
        caption={tDirectory('pricesOf', { name: item.name })}
        empty={
          <EmptyState drawing="stamp" title={t('noneTitle')} text={t(view.minShare > 0 ? 'noneAboveText' : 'noneText')}>
            <Link
              to={{
                search: new URLSearchParams({
                  [by === 'services' ? 'service' : 'country']: String(item.id),
                }).toString(),
              }}
              className={buttonLook()}
            >
              {t('reset')}
            </Link>
          </EmptyState>
        }
      />
    </>
  )
}
