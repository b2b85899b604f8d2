import { useTranslations } from 'use-intl'
import type { ArticleItem } from '#contract/content.ts'
import { Link } from '#web/navigation/link.tsx'
import { Day } from '#web/reading/date-line.tsx'

export function ArticleCards({ articles, level }: { articles: readonly ArticleItem[]; level: 'h2' | 'h3' }) {
  const t = useTranslations('blog')
  const Heading = level
  return (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {articles.map(({ slug, title, description, category, published, reading_minutes: minutes }) => (
        <li
          key={slug}
          className="relative flex flex-col rounded border border-hairline bg-surface p-5 hover:border-edge"
        >
          <p className="text-sm text-muted">{category.title}</p>
          <Heading className="mt-1 text-lg leading-snug font-semibold tracking-tight">
            <Link to={`/blog/${category.slug}/${slug}`} className="after:absolute after:inset-0">
              {title}
            </Link>
          </Heading>
          <p className="mt-2 grow text-[15px] text-muted">{description}</p>
          <p className="mt-4 text-sm text-muted">
            <Day date={published} /> · {t('minutes', { minutes })}
          </p>
        </li>
      ))}
    </ul>
  )
}
