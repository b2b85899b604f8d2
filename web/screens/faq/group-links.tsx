import { useTranslations } from 'use-intl'
import type { AnswersReply } from '#contract/content.ts'
import { NavLink } from '#web/navigation/link.tsx'

type GroupLinksProps = { categories: AnswersReply['categories'] }

/** Renders the groups with their numbers of answers, beside a text on wide screens and below it elsewhere. */
export function GroupLinks({ categories }: GroupLinksProps) {
  const t = useTranslations('faq')
  return (
    <nav
      aria-label={t('groups')}
      className="self-start rounded border border-hairline bg-surface p-2 lg:sticky lg:top-24"
    >
      <ul>
        {categories.map(({ slug, title, answers }) => (
          <li key={slug}>
            <NavLink
              to={`/faq/${slug}`}
              className={({ isActive }) =>
                `flex min-h-11 items-center justify-between gap-3 rounded px-3 hover:bg-sunken ${isActive ? 'bg-sunken font-semibold' : ''}`
              }
            >
              {title}
              <span className="tabular text-sm font-normal text-muted">{answers.length}</span>
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Renders the groups as links to their headings on the page of all questions. */
export function GroupChips({ categories }: GroupLinksProps) {
  const t = useTranslations('faq')
  return (
    <nav aria-label={t('groups')} className="mt-4">
      <ul className="flex flex-wrap gap-2">
        {categories.map(({ slug, title, answers }) => (
          <li key={slug}>
            <a
              href={`#${slug}`}
              className="inline-flex min-h-11 items-center gap-2 rounded border border-hairline bg-surface px-3 text-[15px] hover:border-edge"
            >
              {title}
              <span className="tabular text-sm text-muted">{answers.length}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
