import { useTranslations } from 'use-intl'
import type { ArticlesReply } from '#contract/content.ts'
import { PagesNav, readPage, requirePage } from '#web/catalogue/pages-nav.tsx'
import { useAppContext } from '#web/house/app-context.ts'
import { breadcrumbList } from '#web/house/structured-data.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { Redirect } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { ArticleCards, LeadArticle } from '#web/reading/article-cards.tsx'
import { BlogLayout } from './blog-layout.tsx'

const ARTICLES_SHOWN = 12

export async function loader({ api, url, params }: LoaderInput): Promise<ArticlesReply & { page: number }> {
  const search = (url.searchParams.get('search') ?? '').trim()
  if (search !== '') throw new Redirect(`/blog/search/${encodeURIComponent(search)}`)
  const page = readPage(url.searchParams)
  const { category } = params
  const filter = { page, per_page: ARTICLES_SHOWN, ...(category !== undefined && { category }) }
  const reply = await api('GET /api/v1/content/articles', filter)
  requirePage(page, reply.meta)
  return { ...reply, page }
}

export function Page() {
  const t = useTranslations('blog')
  const { page: app } = useAppContext()
  const { data, meta, categories, category, page } = useScreenData<typeof loader>()
  const title = category?.title ?? t('title')
  const lead = page === 1 ? data[0] : undefined
  const crumbs = [
    { title: t('title'), path: '/blog' },
    ...(category === null ? [] : [{ title: category.title, path: `/blog/${category.slug}` }]),
  ]
  return (
    <BlogLayout categories={categories}>
      <PageHead
        title={category === null ? title : t('categoryTitle', { title })}
        description={category === null ? t('description') : t('categoryDescription', { title, count: meta.total })}
        indexable={page === 1}
        things={[breadcrumbList(app.publicUrl, crumbs)]}
      />
      <h1 className="mb-6 text-3xl font-semibold tracking-tight">{title}</h1>
      {lead === undefined ? null : <LeadArticle article={lead} />}
      <ArticleCards articles={lead === undefined ? data : data.slice(1)} level="h2" />
      <PagesNav page={page} lastPage={meta.last_page} />
    </BlogLayout>
  )
}
