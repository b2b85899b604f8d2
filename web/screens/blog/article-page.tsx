import { useTranslations } from 'use-intl'
import { contentLocale } from '#contract/settings/languages.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { useStore } from '#web/house/stores/store.ts'
import { articleThing, breadcrumbList } from '#web/house/structured-data.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { ArticleCards } from '#web/reading/article-cards.tsx'
import { Day } from '#web/reading/date-line.tsx'
import { TextPage } from '#web/reading/text-page.tsx'
import { Picture } from '#web/ui/drawings/picture.tsx'
import { BlogLayout } from './blog-layout.tsx'

export async function loader({ api, params }: LoaderInput) {
  const { category = '', article: slug = '' } = params
  const [article, { categories }] = await Promise.all([
    api('GET /api/v1/content/articles/{category}/{slug}', { category, slug }),
    api('GET /api/v1/content/articles', { per_page: 1 }),
  ])
  return { article: article.data, related: article.related, categories }
}

export function Page() {
  const t = useTranslations('blog')
  const { language, page } = useAppContext()
  const { locale } = useStore(language)
  const { publicUrl: origin } = page
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
        picture={{ path, alt: title }}
        things={[
          articleThing({ origin, path, title, description, published, updated, author, locale: contentLocale(locale) }),
          breadcrumbList(origin, crumbs),
        ]}
      />
      <TextPage
        text={article}
        lead={
          <Picture
            seed={slug}
            section={category.slug}
            date={published}
            className="mb-8 aspect-[5/2] w-full max-w-3xl rounded"
          />
        }
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
