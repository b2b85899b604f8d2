import './board.css'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { PriceListSort } from '#contract/content.ts'
import type { Currency } from '#contract/money.ts'
import { ItemIcon } from '#web/catalogue/item-icon.tsx'
import { Link } from '#web/navigation/link.tsx'
import { useLocation } from '#web/navigation/use-page.ts'
import { Price } from '#web/ui/initial/price.tsx'
import { formatCount } from '#web/ui/marks/initial/measured-words.ts'
import { type BoardRow, DEFAULT_SORT, withParam } from './board-rows.ts'
import { ShareBar } from './share-bar.tsx'

type BoardTableProps = {
  rows: readonly BoardRow[]
  currency: Currency
  caption: string
  nameHead: string
  sort: PriceListSort
  best?: BoardRow | undefined
  /** How many rows a folded board shows. The others stay in the HTML, for search engines. */
  fold?: number | undefined
  pathOfRow: (row: BoardRow) => string
  buyOf: (row: BoardRow) => ReactNode
  /** The note is about the last press of this row's button; null without a note. */
  noteOf: (row: BoardRow) => ReactNode
}

export function BoardTable(props: BoardTableProps) {
  const { rows, caption, nameHead, sort, fold = rows.length } = props
  const t = useTranslations('directory')
  return (
    <div className="board" data-sort={sort}>
      <table aria-label={caption}>
        <thead>
          <tr className="text-left text-sm text-muted">
            <SortHead column="name" look="board-name" text={nameHead} sort={sort} />
            <SortHead column="share" look="board-share" text={t('share')} sort={sort} />
            <SortHead column="time" look="board-time" text={t('time')} sort={sort} />
            <SortHead column="stock" look="board-stock" text={t('stock')} sort={sort} />
            <SortHead column="price" look="board-price" text={t('price')} sort={sort} />
            <th scope="col" className="board-buy">
              <span className="sr-only">{t('purchase')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <BoardLine key={row.id} row={row} {...props} isFolded={index >= fold} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Column = Exclude<PriceListSort, 'popular'>

/** The figures of these columns end at the right, and so do the words of their heads. */
const RIGHT: ReadonlySet<Column> = new Set(['time', 'stock', 'price'])
/** A column is best at one end, so each has one direction: low prices and times, high shares and stocks. */
const RISING: ReadonlySet<Column> = new Set(['name', 'price', 'time'])

function SortHead({ column, look, text, sort }: { column: Column; look: string; text: string; sort: PriceListSort }) {
  const { search } = useLocation()
  const isSorted = sort === column
  const isRising = RISING.has(column)
  const Arrow = isRising ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (isRising ? 'ascending' : 'descending') : undefined}
      className={`font-normal ${look}`}
    >
      <Link
        to={{ search: withParam(search, 'sort', column === DEFAULT_SORT ? '' : column) }}
        preventScrollReset
        className={`inline-flex min-h-11 items-center gap-1 rounded text-[13px] whitespace-nowrap hover:text-ink ${RIGHT.has(column) ? 'flex-row-reverse' : ''} ${isSorted ? 'font-semibold text-ink' : 'font-medium text-muted'}`}
      >
        {text}
        {isSorted ? <Arrow size={14} aria-hidden /> : null}
      </Link>
    </th>
  )
}

type BoardLineProps = BoardTableProps & { row: BoardRow; isFolded: boolean }

function BoardLine({ row, isFolded, best, currency, pathOfRow, buyOf, noteOf }: BoardLineProps) {
  const t = useTranslations('directory')
  const tBuy = useTranslations('buy')
  const locale = useLocale()
  const { name, price, count, success_share: share, median_seconds: median } = row
  const note = noteOf(row)
  return (
    <Fragment>
      {note === null ? null : (
        <tr className="board-note">
          <td colSpan={6}>
            <div role="alert">{note}</div>
          </td>
        </tr>
      )}
      <tr className="board-row" hidden={isFolded} data-best={row === best ? '' : undefined}>
        <th scope="row" className="board-name">
          <Link
            to={pathOfRow(row)}
            className="inline-flex min-h-10 max-w-full items-center gap-2.5 leading-tight max-lg:min-h-11 underline-offset-4 hover:underline"
          >
            <ItemIcon item={row} />
            <span className="wrap-anywhere">{name}</span>
          </Link>
        </th>
        <td className="board-share">
          <ShareBar share={share} />
        </td>
        <td className="board-time">
          {median === null ? '—' : tBuy('medianSeconds', { seconds: Math.max(1, Math.round(median)) })}
        </td>
        <td className="board-stock">
          {formatCount(count, locale)}
          <span className="board-unit">{` ${t('left')}`}</span>
        </td>
        <td className="board-price">
          <Price amount={price} currency={currency} />
        </td>
        <td className="board-buy">{buyOf(row)}</td>
      </tr>
    </Fragment>
  )
}
