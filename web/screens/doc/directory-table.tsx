import { useTranslations } from 'use-intl'
import type { Api } from '#contract/calls/calls.ts'
import { SEARCH_MAX_LENGTH } from '#contract/constants.ts'
import type { DirectoryItem, DirectoryReply } from '#contract/content.ts'
import { type DirectoryKind, pathOf } from '#web/catalogue/directory-paths.ts'
import { PagesNav, readPage, requirePage } from '#web/catalogue/pages-nav.tsx'
import { useApi, useAppContext } from '#web/house/app-context.ts'
import { breadcrumbList } from '#web/house/structured-data.ts'
import { Link } from '#web/navigation/link.tsx'
import { PageHead } from '#web/navigation/page-head.tsx'
import { routeNamed } from '#web/navigation/routes.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { CodeTable } from './code-table.tsx'
import { CopyAll } from './copy-all.tsx'
import { DocLayout } from './doc-layout.tsx'
import { TableSearch } from './table-search.tsx'

const ROWS_SHOWN = 100
const ALL_ROWS = 5_000

type TableData = { reply: DirectoryReply; search: string; page: number }

export async function loadTable(api: Api, kind: DirectoryKind, params: URLSearchParams): Promise<TableData> {
  const search = (params.get('search') ?? '').trim().slice(0, SEARCH_MAX_LENGTH)
  const page = readPage(params)
  const reply = await api('GET /api/v1/directory/{kind}', { kind, search, page, per_page: ROWS_SHOWN })
  requirePage(page, reply.meta)
  return { reply, search, page }
}

export function DirectoryTable({ kind, data: { reply, search, page } }: { kind: DirectoryKind; data: TableData }) {
  const t = useTranslations('doc')
  const api = useApi()
  const { publicUrl } = useAppContext().page
  const title = t(`${kind}.title`)
  const path = routeNamed(`doc-${kind}`)?.path ?? '/doc'
  const crumbs = [
    { title: t('title'), path: '/doc' },
    { title, path },
  ]
  async function loadAll() {
    const all = await api('GET /api/v1/directory/{kind}', { kind, per_page: ALL_ROWS })
    return all.data.map(({ id, name }) => [String(id), name])
  }
  return (
    <DocLayout>
      <PageHead
        title={title}
        description={t(`${kind}.description`, { count: reply.meta.total })}
        indexable={search === '' && page === 1}
        things={[breadcrumbList(publicUrl, crumbs)]}
      />
      <h1 className="text-3xl font-semibold tracking-tight">{title}</h1>
      <p className="mt-2 mb-5 max-w-2xl text-muted">{t(`${kind}.text`)}</p>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <div className="min-w-0 grow">
          <TableSearch search={search} />
        </div>
        <CopyAll load={loadAll} />
      </div>
      <p role="status" className="mb-3 text-sm text-muted">
        {t('rows', { count: reply.meta.total })}
      </p>
      {reply.data.length === 0 ? (
        <EmptyState drawing="switchboard" title={t('noneTitle')} text={t('noneText')} />
      ) : (
        <CodeTable
          caption={title}
          codeHead={t(`${kind}.code`)}
          nameHead={t('name')}
          rows={reply.data.map((item) => ({ code: String(item.id), name: <ItemName kind={kind} item={item} /> }))}
        />
      )}
      <PagesNav page={page} lastPage={reply.meta.last_page} />
    </DocLayout>
  )
}

function ItemName({ kind, item }: { kind: DirectoryKind; item: DirectoryItem }) {
  return (
    <Link to={pathOf(kind, item)} className="inline-flex min-h-10 items-center underline-offset-4 hover:underline">
      {item.name}
    </Link>
  )
}
