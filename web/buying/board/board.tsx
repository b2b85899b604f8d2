import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { type Currency, formatMoney } from '#contract/money.ts'
import { type PressedOffer, panelPath } from '#web/buying/fast-number/fast-offers.ts'
import { barrierOf, type FastPurchase, priceOf, useFastPurchase } from '#web/buying/fast-number/use-fast-purchase.ts'
import { PressNote } from '#web/buying/press/press-note.tsx'
import { type BoardRow, type BoardView, cheapestOf, shownRows, withParam } from '#web/catalogue/board/board-rows.ts'
import { BoardTable } from '#web/catalogue/board/board-table.tsx'
import { type DirectoryKind, pathOf } from '#web/catalogue/directory-paths.ts'
import { ItemIcon } from '#web/catalogue/item-icon.tsx'
import { useSession, useUser } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import { useLocation } from '#web/navigation/use-page.ts'
import { buttonLook } from '#web/ui/button.tsx'
import { Price } from '#web/ui/initial/price.tsx'
import { formatPercent } from '#web/ui/marks/initial/measured-words.ts'

/** The query parameter that unfolds the board, so that the link works without scripts. */
const ALL_PARAM = 'all'

type BoardProps = {
  /** The chosen service or country. The rows are what it is offered with. */
  item: { id: string | number; name: string }
  /** The kind of the rows. */
  kind: DirectoryKind
  rows: readonly BoardRow[]
  currency: Currency
  view: BoardView
  caption: string
  /** The path of a panel with the row's pair, for visitors and for prices above the buyer's limit. */
  panelPathOf?: (offer: PressedOffer) => string
  empty: ReactNode
  /** How many rows stand above the link to all; without it all rows are shown. */
  fold?: number
}

/** Renders offers as rows to compare. A row's button buys its number by one press. */
export function Board(props: BoardProps) {
  const { item, kind, rows, currency, view, caption, panelPathOf = panelPath, empty } = props
  const t = useTranslations('directory')
  const locale = useLocale()
  const { search } = useLocation()
  const purchase = useFastPurchase(() => undefined)
  const shown = shownRows(rows, view, locale)
  const best = cheapestOf(shown)
  const offerOf = (row: BoardRow) => toOffer(kind, item, row)
  const buyOf = (row: BoardRow, look: string, isRow = false) => (
    <BuyCell
      offer={offerOf(row)}
      purchase={purchase}
      currency={currency}
      panelPathOf={panelPathOf}
      look={look}
      isRow={isRow}
    />
  )
  const fold = new URLSearchParams(search).get(ALL_PARAM) === '1' ? undefined : props.fold
  if (best === undefined) return empty
  return (
    <>
      <Cheapest best={best} view={view} currency={currency}>
        {buyOf(best, buttonLook('primary'))}
      </Cheapest>
      <BoardTable
        rows={shown}
        currency={currency}
        caption={caption}
        nameHead={t(kind === 'services' ? 'service' : 'country')}
        sort={view.sort}
        best={best}
        fold={fold}
        pathOfRow={(row) => pathOf(kind, row)}
        buyOf={(row) => buyOf(row, ROW_BUTTON, true)}
        noteOf={(row) => {
          const outcome = purchase.outcomes[offerOf(row).key]
          return outcome === undefined || outcome.kind === 'failed' ? null : <PressNote outcome={outcome} />
        }}
      />
      {fold !== undefined && fold < shown.length ? (
        <Link
          to={{ search: withParam(search, ALL_PARAM, '1') }}
          preventScrollReset
          className={`mt-3 min-h-11! w-full ${buttonLook()}`}
        >
          {t(`showAll.${kind}`, { count: shown.length })}
        </Link>
      ) : null}
    </>
  )
}

function toOffer(kind: DirectoryKind, item: BoardProps['item'], row: BoardRow): PressedOffer {
  const [service, country] = kind === 'services' ? [row, item] : [item, row]
  return {
    key: `${service.id}/${country.id}`,
    service: { id: String(service.id), name: service.name },
    country: { id: Number(country.id), name: country.name },
    operator: null,
    period: null,
    price: row.price,
  }
}

/** A phone has no such line, because its rows begin with the cheapest, and the mark of that row stays in any order. */
function Cheapest({
  best,
  view,
  currency,
  children,
}: {
  best: BoardRow
  view: BoardView
  currency: Currency
  children: ReactNode
}) {
  const t = useTranslations('directory')
  const locale = useLocale()
  const percent = formatPercent(view.minShare / 100, locale)
  return (
    <div className="mb-3 flex items-center gap-4 rounded bg-signal-wash px-3 py-2 max-sm:hidden">
      <p className="flex min-w-0 grow flex-wrap items-center gap-x-2.5 gap-y-0.5">
        <span className="text-muted">{view.minShare === 0 ? t('cheapest') : t('cheapestAbove', { percent })}</span>
        <span className="inline-flex items-center gap-2 font-semibold">
          <ItemIcon item={best} />
          {best.name}
        </span>
        <Price amount={best.price} currency={currency} className="font-semibold" />
      </p>
      {children}
    </div>
  )
}

/** A quiet look, because a button stands in every row. */
const ROW_BUTTON =
  'inline-flex min-h-10 items-center rounded px-3 font-medium text-signal hover:bg-signal-wash aria-disabled:opacity-55 max-lg:min-h-11'

type BuyCellProps = {
  offer: PressedOffer
  purchase: FastPurchase
  currency: Currency
  panelPathOf: (offer: PressedOffer) => string
  look: string
  /** True for a row's button, which says its price where the row has no column for it. */
  isRow: boolean
}

function BuyCell({ offer, purchase, currency, panelPathOf, look, isRow }: BuyCellProps) {
  const t = useTranslations('directory')
  const locale = useLocale()
  const { signedIn } = useSession()
  const user = useUser()
  const price = priceOf(offer, purchase.outcomes)
  const { service, country } = offer
  const money = price === null ? '' : formatMoney(price, currency, locale)
  const label = t('buyPair', { service: service.name, country: country.name, price: money })
  const words = isRow ? (
    <>
      <span className="board-word">{t('purchase')}</span>
      <span className="board-cost tabular whitespace-nowrap">{money}</span>
    </>
  ) : (
    t('purchase')
  )
  if (!signedIn || barrierOf(offer, purchase.outcomes, user)?.kind === 'above') {
    return (
      <Link to={panelPathOf(offer)} aria-label={label} className={look}>
        {words}
      </Link>
    )
  }
  const busy = purchase.pending === offer.key
  return (
    <button
      type="button"
      aria-label={label}
      aria-busy={busy}
      aria-disabled={purchase.pending !== null}
      className={look}
      onClick={() => (purchase.pending === null ? purchase.press(offer) : undefined)}
    >
      {words}
    </button>
  )
}
