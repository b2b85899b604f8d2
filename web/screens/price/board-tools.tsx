import { Download } from 'lucide-react'
import { useLocale, useTranslations } from 'use-intl'
import { MIN_SHARES } from '#contract/content.ts'
import { type BoardView, withParam } from '#web/catalogue/board/board-rows.ts'
import { type AppContext, useAppContext, useSession } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { Link } from '#web/navigation/link.tsx'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { downloadFile } from '#web/session/download.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { buttonLook } from '#web/ui/button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { saveFile } from '#web/ui/save-file.ts'
import { SEGMENTS, segmentLook } from '#web/ui/segments.ts'
import type { PricesWanted } from './load-prices.ts'

const FILE_PATH = '/api/v1/price-list.csv'

/** A finger has the height of the whole row, though the segments stand within a border. */
const REACH = "relative after:absolute after:inset-x-0 after:-inset-y-0.5 after:content-['']"

type BoardToolsProps = { wanted: PricesWanted; itemId: string; view: BoardView }

/** Renders the filters of the rows. Each is also a link or a form, so that it works without scripts. */
export function BoardTools({ wanted, itemId, view }: BoardToolsProps) {
  const t = useTranslations('priceList')
  const locale = useLocale()
  const [params, setParams] = useSearchParams()
  const { by, search } = wanted
  const rowKind = by === 'services' ? 'countries' : 'services'
  const [own, other] = by === 'services' ? (['service', 'country'] as const) : (['country', 'service'] as const)
  function find(words: string): void {
    const change = (before: URLSearchParams) => {
      const next = new URLSearchParams(before)
      // The words would otherwise be taken for the service that is chosen.
      if (by === 'countries') next.set('by', 'country')
      next.set(own, itemId)
      return new URLSearchParams(withParam(next.toString(), other, words))
    }
    setParams(change, { replace: true, preventScrollReset: true })
  }
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-2 gap-y-2 lg:mb-3 lg:gap-x-4">
      <nav aria-label={t('minShare')} className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-0.5 max-sm:w-full">
        <p aria-hidden className="text-[13px] text-muted">
          {t('minShare')}
        </p>
        <span className={`flex max-sm:w-full ${SEGMENTS} p-px!`}>
          {MIN_SHARES.map((share) => (
            <Link
              key={share}
              to={{ search: withParam(params.toString(), 'min_share', share === 0 ? '' : String(share)) }}
              replace
              preventScrollReset
              aria-current={share === view.minShare ? 'true' : undefined}
              className={`${REACH} tabular px-2! ${segmentLook(share === view.minShare)}`}
            >
              {share === 0 ? t('anyShare') : formatPercent(share / 100, locale)}
            </Link>
          ))}
        </span>
      </nav>
      <form action="/price" onSubmit={(event) => event.preventDefault()} className="flex min-w-40 grow basis-40">
        {by === 'countries' ? <input type="hidden" name="by" value="country" /> : null}
        <input type="hidden" name={own} value={itemId} />
        <SearchField name={other} label={t(`find.${rowKind}`)} search={search} onSearch={find} className="min-h-11!" />
      </form>
      <FileLink by={by} itemId={itemId} view={view} />
    </div>
  )
}

function FileLink({ by, itemId, view }: { by: PricesWanted['by']; itemId: string; view: BoardView }) {
  const t = useTranslations('priceList')
  const app = useAppContext()
  const { signedIn } = useSession()
  const fail = useFailure()
  const input = {
    ...(by === 'services' ? { service_id: itemId } : { country_id: itemId }),
    sort: view.sort,
    ...(view.minShare === 0 ? {} : { min_share: String(view.minShare) }),
    for: 'people',
  }
  const name = `ringpost-prices-${itemId}.csv`
  return (
    <a
      href={`${FILE_PATH}?${new URLSearchParams(input)}`}
      download={name}
      className={`min-h-11! ${buttonLook()}`}
      onClick={(event) => {
        // A link sends no access token, without which the file would have a visitor's currency.
        if (!signedIn) return
        event.preventDefault()
        inBackground(save(app, input, name).catch(fail))
      }}
    >
      <Download size={16} aria-hidden className="text-muted" />
      {t('file')}
    </a>
  )
}

async function save(app: AppContext, input: object, name: string): Promise<void> {
  saveFile(name, await downloadFile(app, FILE_PATH, input))
}
