import { useTranslations } from 'use-intl'
import type { ErrorsReply, ListedError } from '#contract/calls/reference-calls.ts'
import { SEARCH_MAX_LENGTH } from '#contract/constants.ts'
import type { Searchable } from '#contract/formats/search-names.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { breadcrumbList } from '#web/house/structured-data.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { DocLayout } from '#web/screens/doc/doc-layout.tsx'
import { findByWords } from '#web/screens/doc/find-by-words.ts'
import { TableSearch } from '#web/screens/doc/table-search.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorEntry } from './error-entry.tsx'
import { WordList } from './word-list.tsx'

export async function loader({ api }: LoaderInput) {
  return (await api('GET /api/v1/reference/errors', {})).data
}

/** All errors are on the page, and a search only hides some. */
export const ownsQuery = true

export function Page() {
  const t = useTranslations('errorList')
  const doc = useTranslations('doc')
  const { publicUrl } = useAppContext().page
  const [params] = useSearchParams()
  const search = (params.get('search') ?? '').trim().slice(0, SEARCH_MAX_LENGTH)
  const { errors, protocols } = find(useScreenData<typeof loader>(), search)
  const crumbs = [
    { title: doc('title'), path: '/doc' },
    { title: t('title'), path: '/doc/errors' },
  ]
  return (
    <DocLayout>
      <PageHead
        title={t('title')}
        description={t('description')}
        indexable={search === ''}
        things={[breadcrumbList(publicUrl, crumbs)]}
      />
      <h1 className="text-3xl font-semibold tracking-tight">{t('title')}</h1>
      <p className="mt-2 mb-5 max-w-2xl">{t('text')}</p>
      <TableSearch search={search} label={t('search')} />
      {errors.length === 0 && protocols.length === 0 ? (
        <div className="mt-5">
          <EmptyState title={t('noneTitle')} text={t('noneText')} />
        </div>
      ) : null}
      {(['every', 'some', 'site'] as const).map((from) => (
        <ErrorGroup key={from} from={from} errors={errors.filter((error) => error.from === from)} />
      ))}
      {protocols.map((protocol) => (
        <WordList key={protocol.name} {...protocol} />
      ))}
    </DocLayout>
  )
}

function ErrorGroup({ from, errors }: { from: ListedError['from']; errors: readonly ListedError[] }) {
  const t = useTranslations('errorList')
  if (errors.length === 0) return null
  return (
    <section id={from} aria-labelledby={`${from}-title`} className="mt-8 scroll-mt-20">
      <h2 id={`${from}-title`} className="text-xl font-semibold tracking-tight">
        {t(`from.${from}`)}
      </h2>
      <p className="mt-1 mb-2 text-muted">{t(`fromText.${from}`)}</p>
      <ul className="divide-y divide-hairline border-y border-hairline">
        {errors.map((error) => (
          <ErrorEntry key={error.code} error={error} />
        ))}
      </ul>
    </section>
  )
}

type Word = ErrorsReply['data']['protocols'][number]['words'][number]

/** Returns the errors and words that match the search in their code, their sentences or their remedy. */
function find({ errors, protocols }: ErrorsReply['data'], search: string): ErrorsReply['data'] {
  // The search covers all at once, because it forgives spelling mistakes only if nothing else is found.
  const all = [...errors, ...protocols.flatMap(({ words }) => words)]
  const found = new Set(findByWords(all, search, searchedOf))
  return {
    errors: errors.filter((error) => found.has(error)),
    protocols: protocols
      .map(({ name, words }) => ({ name, words: words.filter((word) => found.has(word)) }))
      .filter(({ words }) => words.length > 0),
  }
}

function searchedOf(one: ListedError | Word): Searchable {
  if ('word' in one) return { id: one.word, name: one.word, also: [one.remedy] }
  return { id: one.code, name: one.code, also: [...one.sentences, one.remedy] }
}
