import { useTranslations } from 'use-intl'
import { SEARCH_MAX_LENGTH } from '#contract/constants.ts'
import { FoundNames } from '#web/catalogue/found-names.tsx'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { breadcrumbList } from '#web/house/structured-data.ts'
import { Link } from '#web/navigation/link.tsx'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useNavigate, useScreenData } from '#web/navigation/use-page.ts'
import { FoundTexts } from '#web/reading/found-texts.tsx'
import { Button, buttonLook } from '#web/ui/button.tsx'
import { Drawing } from '#web/ui/drawings/drawing.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { SearchForm } from '#web/ui/fields/search-form.tsx'
import { AnswerLinks } from './answer-links.tsx'

const FOUND_SHOWN = 20

export async function loader({ api, url }: LoaderInput) {
  const search = (url.searchParams.get('search') ?? '').trim().slice(0, SEARCH_MAX_LENGTH)
  const [{ categories }, found] = await Promise.all([
    api('GET /api/v1/content/answers', {}),
    search === '' ? null : api('GET /api/v1/content/search', { search, kind: 'answer', per_page: FOUND_SHOWN }),
  ])
  return { categories, search, found }
}

export function Page() {
  const t = useTranslations('faq')
  const { page } = useAppContext()
  const { categories, search, found } = useScreenData<typeof loader>()
  const navigate = useNavigate()
  const searchFor = (words: string) =>
    inBackground(navigate(words === '' ? '/faq' : `/faq?${new URLSearchParams({ search: words })}`))
  return (
    <>
      <PageHead
        title={t('title')}
        description={t('description')}
        indexable={search === ''}
        things={[breadcrumbList(page.publicUrl, [{ title: t('title'), path: '/faq' }])]}
      />
      <Drawing name="envelope" className="float-right -mt-3 ml-6 hidden h-32 text-edge/70 sm:block" />
      <h1 className="text-3xl font-semibold tracking-tight">{t('title')}</h1>
      <p className="mt-2 mb-5 max-w-2xl text-muted">{t('description')}</p>
      <SearchForm action="/faq" label={t('search')} search={search} onSearch={searchFor} className="max-w-xl">
        <Button type="submit">{t('find')}</Button>
      </SearchForm>
      {found === null ? (
        <div className="clear-both mt-8 gap-x-12 lg:columns-2">
          {categories.map((category) => (
            <section key={category.slug} className="mb-10 break-inside-avoid-column">
              <h2 className="mb-2 text-xl font-semibold tracking-tight">
                <Link to={`/faq/${category.slug}`} className="underline-offset-4 hover:underline">
                  {category.title}
                </Link>
              </h2>
              <AnswerLinks category={category.slug} answers={category.answers} />
            </section>
          ))}
        </div>
      ) : (
        <div className="clear-both mt-8">
          <p role="status" className="mb-5 text-muted">
            {t('found', { count: found.meta.total })}
          </p>
          <FoundNames named={found.named} />
          {found.data.length === 0 ? (
            <EmptyState drawing="strip" title={t('noneTitle')} text={t('noneText')}>
              <Link to="/faq" className={buttonLook()}>
                {t('all')}
              </Link>
            </EmptyState>
          ) : (
            <FoundTexts texts={found.data} />
          )}
        </div>
      )}
    </>
  )
}
