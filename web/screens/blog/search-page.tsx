import { useTranslations } from 'use-intl'
import { SEARCH_MAX_LENGTH } from '#contract/constants.ts'
import { FoundNames } from '#web/catalogue/found-names.tsx'
import { PagesNav, readPage, requirePage } from '#web/catalogue/pages-nav.tsx'
import { Link } from '#web/navigation/link.tsx'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { FoundTexts } from '#web/reading/found-texts.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { BlogLayout } from './blog-layout.tsx'

export async function loader({ api, url, params }: LoaderInput) {
  const search = (params.search ?? '').slice(0, SEARCH_MAX_LENGTH)
  const page = readPage(url.searchParams)
  const [found, { categories }] = await Promise.all([
    api('GET /api/v1/content/search', { search, page }),
    api('GET /api/v1/content/articles', { per_page: 1 }),
  ])
  requirePage(page, found.meta)
  return { found, categories, search, page }
}

export function Page() {
  const t = useTranslations('blog')
  const { found, categories, search, page } = useScreenData<typeof loader>()
  return (
    <BlogLayout categories={categories} search={search}>
      <PageHead title={t('foundTitle', { search })} indexable={false} />
      <h1 className="mb-1 text-3xl font-semibold tracking-tight">{t('foundTitle', { search })}</h1>
      <p role="status" className="mb-6 text-muted">
        {t('found', { count: found.meta.total })}
      </p>
      {page === 1 ? <FoundNames named={found.named} /> : null}
      {found.data.length === 0 ? (
        <EmptyState drawing="envelope" title={t('noneTitle')} text={t('noneText')}>
          <Link to="/blog" className={buttonLook()}>
            {t('all')}
          </Link>
        </EmptyState>
      ) : (
        <FoundTexts texts={found.data} />
      )}
      <PagesNav page={page} lastPage={found.meta.last_page} />
    </BlogLayout>
  )
}
