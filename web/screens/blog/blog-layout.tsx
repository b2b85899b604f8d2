import { Rss } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { inBackground } from '#web/house/in-background.ts'
import { NavLink } from '#web/navigation/link.tsx'
import { useNavigate } from '#web/navigation/use-page.ts'
import { SearchForm } from '#web/ui/fields/search-form.tsx'

type BlogLayoutProps = {
  categories: readonly { slug: string; title: string; count: number }[]
  search?: string
  children: ReactNode
}

export function BlogLayout({ categories, search = '', children }: BlogLayoutProps) {
  const t = useTranslations('blog')
  const navigate = useNavigate()
  const searchFor = (words: string) =>
    inBackground(navigate(words === '' ? '/blog' : `/blog/search/${encodeURIComponent(words)}`))
  return (
    <>
      <div className="mb-8 flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-hairline pb-3">
        <nav aria-label={t('categories')} className="min-w-0 grow">
          <ul className="flex flex-wrap gap-1">
            <li>
              <NavLink to="/blog" end className={({ isActive }) => linkLook(isActive)}>
                {t('all')}
              </NavLink>
            </li>
            {categories.map(({ slug, title, count }) => (
              <li key={slug}>
                <NavLink to={`/blog/${slug}`} end className={({ isActive }) => linkLook(isActive)}>
                  {title} <span className="tabular ml-1.5 text-muted">{count}</span>
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        {/* The form requests `/blog?search=…` if scripts are off, which redirects to the same page. */}
        <SearchForm action="/blog" label={t('search')} search={search} onSearch={searchFor} className="sm:w-56" />
        <a href="/blog/rss.xml" className="inline-flex min-h-10 items-center gap-1.5 text-sm text-muted hover:text-ink">
          <Rss size={16} aria-hidden /> RSS
        </a>
      </div>
      {children}
    </>
  )
}

function linkLook(active: boolean): string {
  const base = 'inline-flex min-h-10 items-center rounded px-3'
  return active ? `${base} bg-sunken font-semibold text-ink` : `${base} text-muted hover:bg-sunken hover:text-ink`
}
