import { Link, useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import type { Api } from '#contract/calls.ts'
import type { DirectoryReply } from '#contract/content.ts'
import { useFrame } from '../../frame.ts'
import { SeoLayout } from '../../layouts/seo.tsx'
import { PageHead } from '../page-head.tsx'
import { useCurrency } from '../price.tsx'
import { breadcrumbList } from '../structured-data.ts'
import type { DirectoryKind } from './directory-paths.ts'
import { ItemLinks } from './item-links.tsx'
import { PagesNav, readPage } from './pages-nav.tsx'

const ITEMS_SHOWN = 120

type IndexData = { reply: DirectoryReply; letter: string | null; page: number }

export async function loadIndex(api: Api, kind: DirectoryKind, params: URLSearchParams): Promise<IndexData> {
  const letter = [...(params.get('letter') ?? '')][0]?.toLowerCase() ?? null
  const page = readPage(params)
  const filter = { kind, page, per_page: ITEMS_SHOWN, ...(letter !== null && { letter }) }
  return { reply: await api('GET /api/v1/directory/{kind}', filter), letter, page }
}

/** All services or countries: by letter, or as they are known. */
export function DirectoryIndex({ kind, data: { reply, letter, page } }: { kind: DirectoryKind; data: IndexData }) {
  const t = useTranslations('directory')
  const { page: frame } = useFrame()
  const { pathname } = useLocation()
  const currency = useCurrency()
  const crumbs = [
    { title: t('home'), path: '/' },
    { title: t(kind), path: pathname },
  ]
  const place = letter === null ? '' : `: ${letter.toUpperCase()}`
  return (
    <SeoLayout crumbs={crumbs}>
      <PageHead
        title={t(`${kind}Index.title`) + place}
        description={t(`${kind}Index.description`, { count: reply.meta.total })}
        // Pages of a letter list again what the first page and the site map have.
        indexable={letter === null && page === 1}
        things={[breadcrumbList(frame.publicUrl, crumbs)]}
      />
      <h1 className="text-3xl font-semibold tracking-tight">{t(`${kind}Index.title`) + place}</h1>
      <p className="mt-2 max-w-2xl text-muted">{t(`${kind}Index.description`, { count: reply.meta.total })}</p>
      <nav aria-label={t('letters')} className="my-5 flex flex-wrap gap-1">
        <LetterLink to={pathname} active={letter === null} text={t('all')} />
        {reply.letters.map((one) => (
          <LetterLink
            key={one}
            to={`${pathname}?letter=${encodeURIComponent(one)}`}
            active={letter === one}
            text={one.toUpperCase()}
          />
        ))}
      </nav>
      <ItemLinks kind={kind} items={reply.data} currency={currency} />
      <PagesNav page={page} lastPage={reply.meta.last_page} />
    </SeoLayout>
  )
}

function LetterLink({ to, active, text }: { to: string; active: boolean; text: string }) {
  const look = active ? 'bg-sunken font-semibold text-ink' : 'text-muted hover:bg-sunken hover:text-ink'
  return (
    <Link
      to={to}
      aria-current={active ? 'page' : undefined}
      className={`inline-flex min-h-10 min-w-10 items-center justify-center rounded px-2 ${look}`}
    >
      {text}
    </Link>
  )
}
