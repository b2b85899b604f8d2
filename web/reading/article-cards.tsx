import { useTranslations } from 'use-intl'
import type { ArticleItem } from '#contract/content.ts'
import { Link } from '#web/navigation/link.tsx'
import { Day } from '#web/reading/date-line.tsx'
import { Picture } from '#web/ui/drawings/picture.tsx'

export function ArticleCards({ articles, level }: { articles: readonly ArticleItem[]; level: 'h2' | 'h3' }) {
  const Heading = level
  if (articles.length === 0) return null
  return (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {articles.map((article) => (
        <li key={article.slug} className={`flex flex-col ${CARD}`}>
          <ArticlePicture article={article} className="aspect-2/1 border-b border-hairline" />
          <div className="flex grow flex-col p-5">
            <p className="text-sm text-muted">{article.category.title}</p>
            <Heading className="mt-1 text-lg leading-snug font-semibold tracking-tight">
              <ArticleLink article={article} />
            </Heading>
            <p className="mt-2 grow text-[15px] text-muted">{article.description}</p>
            <Published article={article} />
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Shows the article that a reader should begin with, larger than all others. */
export function LeadArticle({ article }: { article: ArticleItem }) {
  return (
    <div className={`mb-4 md:grid md:grid-cols-2 ${CARD}`}>
      <ArticlePicture article={article} className="aspect-2/1 h-full md:aspect-auto md:min-h-72" />
      <div className="flex flex-col justify-center p-5 sm:p-8">
        <p className="text-sm text-muted">{article.category.title}</p>
        <h2 className="mt-1 text-2xl leading-tight font-semibold tracking-tight text-balance lg:text-3xl">
          <ArticleLink article={article} />
        </h2>
        <p className="mt-3 text-[17px] text-muted">{article.description}</p>
        <Published article={article} />
      </div>
    </div>
  )
}

const CARD = 'relative overflow-hidden rounded border border-hairline bg-surface hover:border-edge'

function ArticlePicture({
  article: { slug, category, published },
  className,
}: {
  article: ArticleItem
  className: string
}) {
  return <Picture seed={slug} section={category.slug} date={published} className={`block w-full ${className}`} />
}

function ArticleLink({ article: { slug, title, category } }: { article: ArticleItem }) {
  return (
    <Link to={`/blog/${category.slug}/${slug}`} className="after:absolute after:inset-0">
      {title}
    </Link>
  )
}

function Published({ article: { published, reading_minutes: minutes } }: { article: ArticleItem }) {
  const t = useTranslations('blog')
  return (
    <p className="mt-4 text-sm text-muted">
      <Day date={published} /> · {t('minutes', { minutes })}
    </p>
  )
}
