import { useLocale, useTranslations } from 'use-intl'
import { PageHead } from '../../components/page-head.tsx'
import { Day } from '../../components/prose/date-line.tsx'
import { TextPage } from '../../components/prose/text-page.tsx'
import { articleThing, breadcrumbList } from '../../components/structured-data.ts'
import { useFrame } from '../../frame.ts'
import { BlogLayout } from '../../layouts/blog.tsx'
import { type LoaderInput, useScreenData } from '../../loader-input.ts'
import { ArticleCards } from './article-cards.tsx'

export async function loader({ api, params }: LoaderInput) {
  const { category = '', article: slug = '' } = params
  const [article, { categories }] = await Promise.all([
    api('GET /api/v1/content/articles/{category}/{slug}', { category, slug }),
    api('GET /api/v1/content/articles', { per_page: 1 }),
  ])
  return { article: article.data, related: article.related, categories }
}

/** /blog/{category}/{article}: one article. */
export function Page() {
  const t = useTranslations('blog')
  const locale = useLocale()
  const { publicUrl: origin } = useFrame().page
  const { article, related, categories } = useScreenData<typeof loader>()
  const { title, description, published, updated, author, category, slug } = article
  const path = `/blog/${category.slug}/${slug}`
  const crumbs = [
    { title: t('title'), path: '/blog' },
    { title: category.title, path: `/blog/${category.slug}` },
    { title, path },
  ]
  return (
    <BlogLayout categories={categories}>
      <PageHead
        title={title}
        description={description}
        kind="article"
        things={[
          articleThing({ origin, path, title, description, published, updated, author, locale }),
          breadcrumbList(origin, crumbs),
        ]}
      />
      <TextPage
        text={article}
        byline={
          <>
            <Day date={published} /> · {t('minutes', { minutes: article.reading_minutes })}
          </>
        }
      />
      <section className="mt-14">
        <h2 className="mb-4 text-xl font-semibold tracking-tight">{t('related')}</h2>
        <ArticleCards articles={related} level="h3" />
      </section>
    </BlogLayout>
  )
}
