import { useTranslations } from 'use-intl'
import type { Api } from '#contract/calls/calls.ts'
import { SEARCH_MAX_LENGTH } from '#contract/constants.ts'
import type { DirectoryReply } from '#contract/content.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { breadcrumbList } from '#web/house/structured-data.ts'
import { Link } from '#web/navigation/link.tsx'
import { Redirect } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useLocation, useNavigate } from '#web/navigation/use-page.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { useCurrency } from '#web/ui/initial/price.tsx'
import type { DirectoryKind } from './directory-paths.ts'
import { ItemLinks } from './item-links.tsx'
import { ItemTiles } from './item-tiles.tsx'
import { PagesNav, readPage, requirePage } from './pages-nav.tsx'
import { SeoLayout } from './seo-layout.tsx'

const ITEMS_SHOWN = 120
const TILES_SHOWN = 8

type IndexData = { reply: DirectoryReply; letter: string | null; search: string; page: number }

export async function loadIndex(api: Api, kind: DirectoryKind, params: URLSearchParams): Promise<IndexData> {
  const search = (params.get('search') ?? '').trim().slice(0, SEARCH_MAX_LENGTH)
  const letter = search === '' ? (params.get('letter')?.toLowerCase() ?? null) : null
  const withoutLetter = () => new Redirect(kind === 'services' ? '/service' : '/country')
  if (letter !== null && [...letter].length !== 1) throw withoutLetter()
  const page = readPage(params)
  const filter = {
    kind,
    page,
    per_page: ITEMS_SHOWN,
    ...(letter !== null && { letter }),
    ...(search !== '' && { search }),
  }
  const reply = await api('GET /api/v1/directory/{kind}', filter)
  // After a change of language, the letter may have no names. The page then redirects instead of replying 404.
  if (letter !== null && !reply.letters.includes(letter)) throw withoutLetter()
  requirePage(page, reply.meta)
  return { reply, letter, search, page }
}

export function DirectoryIndex({
  kind,
  data: { reply, letter, search, page },
}: {
  kind: DirectoryKind
  data: IndexData
}) {
  const t = useTranslations('directory')
  const { page: app } = useAppContext()
  const tPanel = useTranslations('buy')
  const tPrices = useTranslations('priceList')
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const currency = useCurrency()
  const crumbs = [
    { title: t('home'), path: '/' },
    { title: t(kind), path: pathname },
  ]
  function find(words: string): void {
    const path = words === '' ? pathname : `${pathname}?${new URLSearchParams({ search: words })}`
    inBackground(navigate(path, { replace: true, preventScrollReset: true }))
  }
  const popular = letter === null && search === '' && page === 1 ? reply.data.slice(0, TILES_SHOWN) : []
  const place = letter === null ? '' : `: ${letter.toUpperCase()}`
  const title = search === '' ? t(`${kind}Index.title`) + place : t('found', { search })
  return (
    <SeoLayout crumbs={crumbs}>
      <PageHead
        title={title}
        description={t(`${kind}Index.description`, { count: reply.meta.total })}
        // Search engines should not index the pages of a letter, which repeat the first page and the site map.
        indexable={letter === null && search === '' && page === 1}
        things={[breadcrumbList(app.publicUrl, crumbs)]}
      />
      <h1 className="text-3xl font-semibold tracking-tight">{title}</h1>
      <p className="mt-2 max-w-2xl text-muted">{t(`${kind}Index.description`, { count: reply.meta.total })}</p>
      <search>
        <form action={pathname} onSubmit={(event) => event.preventDefault()} className="mt-5 flex max-w-xl">
          <SearchField
            name="search"
            label={tPanel(kind === 'services' ? 'search.service' : 'search.country')}
            search={search}
            onSearch={find}
          />
        </form>
      </search>
      <nav aria-label={t('letters')} className="my-5 flex flex-wrap gap-1">
        <LetterLink to={pathname} active={letter === null && search === ''} text={t('all')} />
        {reply.letters.map((one) => (
          <LetterLink
            key={one}
            to={`${pathname}?letter=${encodeURIComponent(one)}`}
            active={letter === one}
            text={one.toUpperCase()}
          />
        ))}
      </nav>
      {reply.data.length === 0 ? (
        <EmptyState drawing="stamp" title={tPrices('noneTitle')} text={tPanel('nothingFound')} />
      ) : (
        <>
          {popular.length === 0 ? null : <ItemTiles kind={kind} items={popular} currency={currency} />}
          <ItemLinks kind={kind} items={reply.data.slice(popular.length)} currency={currency} />
        </>
      )}
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
