import { useTranslations } from 'use-intl'
import { LANGUAGES } from '#contract/settings/languages.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { useStore } from '#web/house/stores/store.ts'
import { SHARE_PICTURE, sharePath, type Thing } from '#web/house/structured-data.ts'
import { useLocation } from './use-page.ts'

type PageHeadProps = {
  title: string
  description?: string
  /** Pass false to keep search engines from personal pages and from pages without content of their own. */
  indexable?: boolean
  things?: readonly Thing[]
  kind?: 'website' | 'article'
  /** The path of the page's own picture below /share, without its ending, and what the picture shows. */
  picture?: { path: string; alt: string }
}

const NAME = 'Ringpost'
/** Hosts in these top-level domains serve the same site as the main host (specification 6). */
const FOREIGN_ZONES = new Set(['net', 'rip', 'org', 'io', 'com'])
/** Russian search engines would index the same pages again in the foreign domains, so they are told not to. */
const NAMED_ENGINES = ['yandex', 'mail.ru'] as const

/** Renders elements that React moves into the head. Elements for search engines are only in the server's HTML. */
export function PageHead({ title, ...rest }: PageHeadProps) {
  const shown = title === NAME ? title : `${title} — ${NAME}`
  return (
    <>
      <title>{shown}</title>
      {import.meta.env.SSR ? <ForMachines {...rest} title={shown} /> : null}
    </>
  )
}

function ForMachines({ title, description, indexable = true, things = [], kind = 'website', picture }: PageHeadProps) {
  const { page, structured, language } = useAppContext()
  const t = useTranslations('content')
  const { locale } = useStore(language)
  const { pathname } = useLocation()
  const indexed = indexable && page.indexing
  const path = pathname === '/' ? '' : pathname
  const words = description ?? t('siteDescription')
  if (indexed) structured.push(...things)
  return (
    <>
      <meta name="description" content={words} />
      <meta name="robots" content={indexed ? 'index, follow' : 'noindex, nofollow'} />
      {FOREIGN_ZONES.has(page.zone.name)
        ? NAMED_ENGINES.map((engine) => <meta key={engine} name={engine} content="noindex" />)
        : null}
      {indexed ? <link rel="canonical" href={page.publicUrl + path} /> : null}
      {indexed
        ? page.alternates.map((other) => (
            <link key={other.locale} rel="alternate" hrefLang={other.locale} href={other.origin + path} />
          ))
        : null}
      <meta property="og:type" content={kind} />
      <meta property="og:site_name" content={NAME} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={words} />
      <meta property="og:url" content={page.publicUrl + path} />
      <meta property="og:locale" content={LANGUAGES[locale].openGraph} />
      <meta
        property="og:image"
        content={page.publicUrl + (picture === undefined ? SHARE_PICTURE.path : sharePath(picture.path, locale))}
      />
      <meta property="og:image:width" content={String(SHARE_PICTURE.width)} />
      <meta property="og:image:height" content={String(SHARE_PICTURE.height)} />
      <meta property="og:image:alt" content={picture?.alt ?? NAME} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}
