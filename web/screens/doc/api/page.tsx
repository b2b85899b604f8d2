import type { ReactNode } from 'react'
import '../panel/panel.css'
import { useTranslations } from 'use-intl'
import { SEARCH_MAX_LENGTH } from '#contract/constants.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { breadcrumbList } from '#web/house/structured-data.ts'
import type en from '#web/locales/en/lazy/site/reference.json'
import { Link } from '#web/navigation/link.tsx'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { DocLayout } from '#web/screens/doc/doc-layout.tsx'
import { KeyField } from '#web/screens/doc/panel/key-field.tsx'
import { ReaderProvider } from '#web/screens/doc/panel/reader.tsx'
import { TableSearch } from '#web/screens/doc/table-search.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'
import { CallCard } from './call-card.tsx'
import { findCalls } from './find-calls.ts'
import { GroupList, groupId } from './group-list.tsx'

export async function loader({ api }: LoaderInput) {
  return (await api('GET /api/v1/reference', {})).data
}

/** All API calls are already on the page, and a search only hides some, so a changed search does not run the loader. */
export const ownsQuery = true

export function Page() {
  return (
    <DocLayout>
      <ReaderProvider>
        <Reference />
      </ReaderProvider>
    </DocLayout>
  )
}

function Reference() {
  const t = useTranslations('reference')
  const { publicUrl } = useAppContext().page
  const search = useSearch()
  const crumbs = [
    { title: t('doc'), path: '/doc' },
    { title: t('title'), path: '/doc/api' },
  ]
  return (
    <>
      <PageHead
        title={t('title')}
        description={t('description')}
        indexable={search === ''}
        things={[breadcrumbList(publicUrl, crumbs)]}
      />
      <h1 className="text-3xl font-semibold tracking-tight">{t('title')}</h1>
      <p className="mt-2 max-w-2xl">
        {t.rich('text', { key: linkTo('/settings/api'), play: linkTo('/faq/api/sandbox') })}
      </p>
      <KeyField>
        <p>{t('clientText')}</p>
        <p>{t('each')}</p>
      </KeyField>
      <CallList />
    </>
  )
}

function useSearch(): string {
  const [params] = useSearchParams()
  return (params.get('search') ?? '').trim().slice(0, SEARCH_MAX_LENGTH)
}

function linkTo(path: string) {
  return (words: ReactNode) => (
    <Link to={path} className={TEXT_BUTTON_LOOK}>
      {words}
    </Link>
  )
}

function CallList() {
  const t = useTranslations('reference')
  const groups = useScreenData<typeof loader>()
  const search = useSearch()
  // The cast is safe, because a test compares the texts with the groups.
  const nameOf = (tag: string) => t(`groups.${tag as keyof (typeof en)['groups']}`)
  const found = findCalls(groups, nameOf, search)
  const isShown = ({ id }: { id: string }) => found === null || found.has(id)
  const shown = groups.filter(({ calls }) => calls.some(isShown))
  return (
    <>
      <div className="mt-4 mb-1">
        <TableSearch search={search} label={t('search')} />
      </div>
      <p role="status" className="text-sm text-muted">
        {found === null ? null : t('found', { count: found.size })}
      </p>
      {found?.size === 0 ? (
        <div className="mt-3">
          <EmptyState drawing="switchboard" title={t('noneTitle')} text={t('noneText')} />
        </div>
      ) : null}
      <div className="xl:grid xl:grid-cols-[minmax(0,1fr)_10.5rem] xl:gap-8">
        <GroupList groups={shown.map(({ tag }) => ({ tag, name: nameOf(tag) }))} />
        <div className="xl:-mt-3">
          {groups.map((group) => (
            <section
              key={group.tag}
              className="mt-6"
              aria-labelledby={groupId(group.tag)}
              hidden={!group.calls.some(isShown)}
            >
              <h2 id={groupId(group.tag)} className="mb-3 text-xl font-semibold tracking-tight">
                {nameOf(group.tag)}
              </h2>
              <div className="grid gap-2">
                {group.calls.map((call) => (
                  <CallCard key={call.id} call={call} hidden={!isShown(call)} />
                ))}
              </div>
            </section>
          ))}
        </div>
      </div>
    </>
  )
}
