import { useTranslations } from 'use-intl'
import { SEARCH_MAX_LENGTH } from '#contract/constants.ts'
import { useApi, useAppContext } from '#web/house/app-context.ts'
import { breadcrumbList } from '#web/house/structured-data.ts'
import { Link } from '#web/navigation/link.tsx'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { CopyButton } from '#web/ui/initial/copy-button.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { CopyAll } from './copy-all.tsx'
import { DocLayout } from './doc-layout.tsx'
import { TableSearch } from './table-search.tsx'

export async function loader({ api, url }: LoaderInput) {
  const search = (url.searchParams.get('search') ?? '').trim().slice(0, SEARCH_MAX_LENGTH)
  const { data } = await api('GET /api/v1/directory/operators', search === '' ? {} : { search })
  return { countries: data, search }
}

export function Page() {
  const t = useTranslations('doc')
  const api = useApi()
  const { publicUrl } = useAppContext().page
  const { countries, search } = useScreenData<typeof loader>()
  const crumbs = [
    { title: t('title'), path: '/doc' },
    { title: t('operators.title'), path: '/doc/operators' },
  ]
  async function loadAll() {
    const { data } = await api('GET /api/v1/directory/operators', {})
    return data.flatMap(({ country, operators }) =>
      operators.map((operator) => [String(country.id), country.name, operator]),
    )
  }
  return (
    <DocLayout>
      <PageHead
        title={t('operators.title')}
        description={t('operators.description', { count: countries.length })}
        indexable={search === ''}
        things={[breadcrumbList(publicUrl, crumbs)]}
      />
      <h1 className="text-3xl font-semibold tracking-tight">{t('operators.title')}</h1>
      <p className="mt-2 mb-5 max-w-2xl text-muted">{t('operators.text')}</p>
      <div className="mb-6 flex flex-wrap items-center gap-3">
        <div className="min-w-0 grow">
          <TableSearch search={search} />
        </div>
        <CopyAll load={loadAll} />
      </div>
      {countries.length === 0 ? <EmptyState drawing="switchboard" title={t('noneTitle')} text={t('noneText')} /> : null}
      <ul className="grid gap-3 sm:grid-cols-2">
        {countries.map(({ country, operators }) => (
          <li key={country.id} className="rounded border border-hairline bg-surface p-4">
            <h2>
              <Link to={`/country/${country.slug}`} className="inline-flex min-h-10 items-center gap-2.5 font-semibold">
                <Flag iso2={country.iso2} /> {country.name}
                <code className="font-mono text-sm font-normal text-muted">{country.id}</code>
              </Link>
            </h2>
            <ul className="mt-1 flex flex-wrap gap-x-3">
              {operators.map((operator) => (
                <li key={operator} className="inline-flex items-center">
                  <code className="font-mono text-[15px]">{operator}</code>
                  <CopyButton text={operator} label={t('copyCode', { code: operator })} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </DocLayout>
  )
}
