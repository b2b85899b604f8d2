import { useTranslations } from 'use-intl'
import { SEARCH_MAX_LENGTH } from '#contract/constants.ts'
import type { AnswersReply } from '#contract/content.ts'
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
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { AnswerLinks } from './answer-links.tsx'
import { GroupChips, GroupLinks } from './group-links.tsx'

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
      <AnswerSearch search={search} />
      {found === null ? (
        <AllAnswers categories={categories} />
      ) : (
        <div className="clear-both mt-8 gap-x-16 lg:grid lg:grid-cols-[minmax(0,42rem)_minmax(0,1fr)]">
          <div className="mb-10 min-w-0">
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
          <GroupLinks categories={categories} />
        </div>
      )}
    </>
  )
}

/** Finds answers while one types. The button is for browsers without scripts. */
function AnswerSearch({ search }: { search: string }) {
  const t = useTranslations('faq')
  const navigate = useNavigate()
  const searchFor = (words: string) => {
    const to = words === '' ? '/faq' : `/faq?${new URLSearchParams({ search: words })}`
    inBackground(navigate(to, { replace: true, preventScrollReset: true }))
  }
  return (
    <search>
      <form action="/faq" onSubmit={(event) => event.preventDefault()} className="flex max-w-xl gap-2">
        <SearchField name="search" label={t('search')} search={search} onSearch={searchFor} className="grow" />
        <Button type="submit">{t('find')}</Button>
      </form>
    </search>
  )
}

function AllAnswers({ categories }: Pick<AnswersReply, 'categories'>) {
  const t = useTranslations('faq')
  return (
    <>
      <GroupChips categories={categories} />
      <div className="clear-both mt-8 gap-x-12 lg:columns-2">
        {categories.map(({ slug, title, answers }) => (
          <section key={slug} aria-labelledby={slug} className="group mb-10 break-inside-avoid-column">
            <div className="mb-1 flex items-center gap-2.5">
              <h2 id={slug} className="text-xl font-semibold tracking-tight">
                <Link to={`/faq/${slug}`} className="underline-offset-4 hover:underline">
                  {title}
                </Link>
              </h2>
              <span className="tabular text-sm text-muted">{answers.length}</span>
              <a href={`#${slug}`} aria-label={t('linkTo', { title })} className={HASH_LOOK}>
                #
              </a>
            </div>
            <AnswerLinks category={slug} answers={answers} />
          </section>
        ))}
      </div>
    </>
  )
}

/** The link shows where a mouse points or the keyboard stands. Touch has the group's name, which is a link itself. */
const HASH_LOOK =
  'ml-auto inline-flex size-11 items-center justify-center rounded text-muted opacity-0 group-hover:opacity-100 hover:bg-sunken hover:text-ink focus-visible:opacity-100 [@media(hover:none)]:hidden'
