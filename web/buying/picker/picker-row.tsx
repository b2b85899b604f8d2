import { Star } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { type Currency, formatMoney } from '#contract/money.ts'
import { formatCount, formatPercent } from '#web/ui/marks/initial/measured-words.ts'

export type PickerItem = {
  id: string | number
  name: string
  price: string | null
  count: number
  success_share: number | null
  median_seconds: number | null
  is_favorite: boolean
}

type PickerRowProps<Item extends PickerItem> = {
  item: Item
  renderIcon: (item: Item) => ReactNode
  selected: boolean
  /** True for the one row that the Tab key reaches. Arrow keys move the focus to other rows. */
  active: boolean
  from: boolean
  currency: Currency
  onPick: (item: Item, byKeyboard: boolean) => void
  /** `onFavorite` is null for visitors, who have no favourites. */
  onFavorite: ((item: Item) => void) | null
}

/** The row is memoised, because a page has dozens of rows. The list computes the values that all rows share. */
export const PickerRow = memo(Row) as typeof Row

function Row<Item extends PickerItem>(props: PickerRowProps<Item>) {
  const { item, renderIcon, selected, active, from, currency, onPick, onFavorite } = props
  const t = useTranslations('buy')
  const tabIndex = active ? 0 : -1
  return (
    <div className="picker-row" data-selected={selected || undefined}>
      <button
        type="button"
        className="picker-pick"
        tabIndex={tabIndex}
        aria-pressed={selected}
        onClick={(event) => onPick(item, event.detail === 0)}
      >
        {renderIcon(item)}
        <span className="picker-name" data-alone={item.success_share === null || undefined}>
          {item.name}
        </span>
        <RowShare t={t} measured={item} />
        <RowPrice t={t} item={item} from={from} currency={currency} />
      </button>
      {onFavorite === null ? null : (
        <FavoriteButton t={t} item={item} tabIndex={tabIndex} onPress={() => onFavorite(item)} />
      )}
    </div>
  )
}

type Words = ReturnType<typeof useTranslations<'buy'>>

function RowShare({ t, measured }: { t: Words; measured: PickerItem }) {
  const locale = useLocale()
  const { success_share: share, median_seconds: seconds } = measured
  if (share === null) return <span className="picker-share" />
  const percent = formatPercent(share, locale)
  const time = seconds === null ? '' : ` · ${t('medianSeconds', { seconds: Math.max(1, Math.round(seconds)) })}`
  return (
    <span className="picker-share" role="img" aria-label={t('shareLabel', { percent }) + time} title={t('shareTip')}>
      {percent + time}
    </span>
  )
}

type RowPriceProps = { t: Words } & Pick<PickerRowProps<PickerItem>, 'item' | 'from' | 'currency'>

function RowPrice({ t, item, from, currency }: RowPriceProps) {
  const locale = useLocale()
  if (item.price === null || item.count === 0) return <span className="picker-none">{t('outOfStockShort')}</span>
  return (
    <>
      <span className="picker-price">
        {from ? <span className="picker-from">{t('from')} </span> : null}
        {formatMoney(item.price, currency, locale)}
      </span>
      <span className="picker-stock">{t('inStock', { count: formatCount(item.count, locale) })}</span>
    </>
  )
}

type FavoriteButtonProps = { t: Words; item: PickerItem; tabIndex: number; onPress: () => void }

function FavoriteButton({ t, item, tabIndex, onPress }: FavoriteButtonProps) {
  const label = item.is_favorite ? t('removeFavorite', { name: item.name }) : t('addFavorite', { name: item.name })
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-label={label}
      aria-pressed={item.is_favorite}
      title={label}
      className="picker-star"
      onClick={onPress}
    >
      <Star size={16} aria-hidden fill={item.is_favorite ? 'currentColor' : 'none'} />
    </button>
  )
}
