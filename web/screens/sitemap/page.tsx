import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import type { AnswersReply, ArticlesReply, DirectoryReply } from '#contract/content.ts'
import type { DirectoryKind } from '#web/catalogue/directory-paths.ts'
import { pathOf } from '#web/catalogue/directory-paths.ts'
import { useSettings } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { openRouteNamed } from '#web/navigation/routes.ts'
import { useScreenData } from '#web/navigation/use-page.ts'

const ARTICLES_SHOWN = 100
const ITEMS_SHOWN = 60
/** The route names of pages without parameters, which are also the keys of their titles. */
const PLAIN_PAGES = [
  'index',
  'price',
  'loyalty',
  'partners',
  'doc',
  'doc-api',
  'doc-services',
  'doc-countries',
  'doc-operators',
  'contacts',
  'status',
  'terms-of-use',
  'privacy-policy',
  'refund-policy',
  'acceptable-use',
] as const

type SitemapData = {
  articles: ArticlesReply | null
  answers: AnswersReply | null
  services: DirectoryReply
  countries: DirectoryReply
}

export async function loader({ api }: LoaderInput): Promise<SitemapData> {
  const [articles, answers, services, countries] = await Promise.all([
    api('GET /api/v1/content/articles', { per_page: ARTICLES_SHOWN }).catch(whereClosed),
    api('GET /api/v1/content/answers', {}).catch(whereClosed),
    api('GET /api/v1/directory/{kind}', { kind: 'services', per_page: ITEMS_SHOWN }),
    api('GET /api/v1/directory/{kind}', { kind: 'countries', per_page: ITEMS_SHOWN }),
  ])
  return { articles, answers, services, countries }
}

function whereClosed(error: unknown): null {
  if (error instanceof CallError && error.httpStatus === 404) return null
  throw error
}

export function Page() {
  const t = useTranslations('siteMap')
  const { articles, answers, services, countries } = useScreenData<typeof loader>()
  const { closedPages } = useSettings()
  return (
    <>
      <PageHead title={t('title')} description={t('description')} />
      <h1 className="mb-6 text-3xl font-semibold tracking-tight">{t('title')}</h1>
      <div className="gap-x-10 sm:columns-2 lg:columns-3">
        <Group title={t('pages')}>
          {PLAIN_PAGES.map((name) => {
            const path = openRouteNamed(name, closedPages)?.path
            return path === undefined ? null : <PageLink key={name} to={path} text={t(`page.${name}`)} />
          })}
        </Group>
        {articles === null ? null : (
          <Group title={t('blog')} path="/blog">
            {articles.data.map(({ slug, title, category }) => (
              <PageLink key={slug} to={`/blog/${category.slug}/${slug}`} text={title} />
            ))}
          </Group>
        )}
        {answers?.categories.map((category) => (
          <Group key={category.slug} title={category.title} path={`/faq/${category.slug}`}>
            {category.answers.map(({ slug, title }) => (
              <PageLink key={slug} to={`/faq/${category.slug}/${slug}`} text={title} />
            ))}
          </Group>
        ))}
        <DirectoryGroup kind="services" reply={services} name="service" title={t('services')} all={t('allServices')} />
        <DirectoryGroup
          kind="countries"
          reply={countries}
          name="country"
          title={t('countries')}
          all={t('allCountries')}
        />
      </div>
    </>
  )
}

type DirectoryGroupProps = { kind: DirectoryKind; reply: DirectoryReply; name: string; title: string; all: string }

function DirectoryGroup({ kind, reply, name, title, all }: DirectoryGroupProps) {
  const path = openRouteNamed(name, useSettings().closedPages)?.path
  if (path === undefined) return null
  return (
    <Group title={title} path={path}>
      {reply.data.map((item) => (
        <PageLink key={item.id} to={pathOf(kind, item)} text={item.name} />
      ))}
      <PageLink to={path} text={all} />
    </Group>
  )
}

function Group({ title, path, children }: { title: string; path?: string; children: ReactNode }) {
  return (
    <section className="mb-8 break-inside-avoid-column">
      <h2 className="mb-2 text-lg font-semibold tracking-tight">
        {path === undefined ? title : <Link to={path}>{title}</Link>}
      </h2>
      <ul>{children}</ul>
    </section>
  )
}

function PageLink({ to, text }: { to: string; text: string }) {
  return (
    <li>
      <Link to={to} className="inline-flex min-h-10 items-center underline-offset-4 hover:underline">
        {text}
      </Link>
    </li>
  )
}
