import type { FormEvent } from 'react'
import { useTranslations } from 'use-intl'
import { SEARCH_MAX_LENGTH } from '#contract/constants.ts'
import type { PriceListReply } from '#contract/content.ts'
import { buyPathOf, pathOf } from '#web/catalogue/directory-paths.ts'
import { OffersTable } from '#web/catalogue/offers-table.tsx'
import { PagesNav, readPage, requirePage } from '#web/catalogue/pages-nav.tsx'
import { SeoLayout } from '#web/catalogue/seo-layout.tsx'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { breadcrumbList } from '#web/house/structured-data.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useNavigate, useScreenData } from '#web/navigation/use-page.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { normalizeText } from '#web/ui/fields/initial/normalize-text.ts'

const ROWS_SHOWN = 50

type PriceData = { reply: PriceListReply; service: string; country: string; page: number }

export async function loader({ api, url }: LoaderInput): Promise<PriceData> {
  const read = (name: string) => normalizeText(url.searchParams.get(name) ?? '').slice(0, SEARCH_MAX_LENGTH)
  const [service, country, page] = [read('service'), read('country'), readPage(url.searchParams)]
  const reply = await api('GET /api/v1/price-list', { service, country, page, per_page: ROWS_SHOWN })
  requirePage(page, reply.meta)
  return { reply, service, country, page }
}

export function Page() {
  const t = useTranslations('priceList')
  const tDirectory = useTranslations('directory')
  const { page: app } = useAppContext()
  const { reply, service, country, page } = useScreenData<typeof loader>()
  const searched = service !== '' || country !== ''
  const crumbs = [
    { title: tDirectory('home'), path: '/' },
    { title: t('title'), path: '/price' },
  ]
  const rows = reply.data.map((row) => ({
    item: row.country,
    path: pathOf('countries', row.country),
    service: { item: row.service, path: pathOf('services', row.service) },
    buyPath: buyPathOf({ serviceId: row.service.id, countryId: row.country.id }),
    price: row.price,
    count: row.count,
    success_share: row.success_share,
    median_seconds: row.median_seconds,
  }))
  return (
    <SeoLayout crumbs={crumbs}>
      <PageHead
        title={t('title')}
        description={t('description', { count: reply.meta.total })}
        indexable={!searched && page === 1}
        things={[breadcrumbList(app.publicUrl, crumbs)]}
      />
      <h1 className="text-3xl font-semibold tracking-tight">{t('title')}</h1>
      <p className="mt-2 max-w-2xl text-muted">{t('text')}</p>
      <SearchForm key={`${service}\n${country}`} service={service} country={country} />
      {rows.length === 0 ? (
        <EmptyState title={t('noneTitle')} text={t('noneText')} />
      ) : (
        <>
          <p className="mb-3 text-sm text-muted" role="status">
            {t('found', { count: reply.meta.total })}
          </p>
          <OffersTable rows={rows} currency={reply.currency} caption={t('title')} />
        </>
      )}
      <PagesNav page={page} lastPage={reply.meta.last_page} />
    </SeoLayout>
  )
}

/** Renders the search form, which loads the same URL if scripts are off. */
function SearchForm({ service, country }: { service: string; country: string }) {
  const t = useTranslations('priceList')
  const navigate = useNavigate()
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const query = new URLSearchParams()
    for (const [name, value] of new FormData(event.currentTarget)) {
      const text = normalizeText(String(value)).trim()
      if (text !== '') query.set(name, text)
    }
    const text = query.toString()
    inBackground(navigate(`/price${text === '' ? '' : `?${text}`}`))
  }
  return (
    <search>
      <form action="/price" onSubmit={submit} className="my-5 flex flex-wrap items-end gap-3">
        <SearchField name="service" label={t('service')} value={service} />
        <SearchField name="country" label={t('country')} value={country} />
        <Button type="submit">{t('search')}</Button>
      </form>
    </search>
  )
}

function SearchField({ name, label, value }: { name: string; label: string; value: string }) {
  return (
    <label className="flex w-full flex-col gap-1 sm:w-64">
      <span className="text-sm text-muted">{label}</span>
      <input
        type="search"
        name={name}
        defaultValue={value}
        maxLength={SEARCH_MAX_LENGTH}
        autoComplete="off"
        className="min-h-11 rounded border border-edge bg-surface px-3"
      />
    </label>
  )
}
