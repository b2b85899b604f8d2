import { useLocale, useTranslations } from 'use-intl'
import type { DirectoryItem } from '#contract/content.ts'
import type { Currency } from '#contract/money.ts'
import { Link } from '#web/navigation/link.tsx'
import { Price } from '#web/ui/initial/price.tsx'
import { formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { type DirectoryKind, pathOf } from './directory-paths.ts'
import { ItemIcon } from './item-icon.tsx'

/** Renders the popular services or countries with their lowest price and their share of codes. */
export function ItemTiles(props: { kind: DirectoryKind; items: readonly DirectoryItem[]; currency: Currency }) {
  const { kind, items, currency } = props
  const t = useTranslations('directory')
  const tBuy = useTranslations('buy')
  const locale = useLocale()
  return (
    <ul className="mb-6 grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-3">
      {items.map((item) => (
        <li key={item.id}>
          <Link
            to={pathOf(kind, item)}
            className="flex h-full min-h-20 flex-col justify-between gap-2 rounded border border-hairline bg-surface p-3.5 hover:border-edge"
          >
            <span className="flex items-center gap-2.5 leading-tight font-semibold">
              <ItemIcon item={item} />
              <span className="min-w-0 wrap-anywhere">{item.name}</span>
            </span>
            <span className="tabular flex flex-wrap items-baseline justify-between gap-x-3 text-[13px] text-muted">
              {item.price === null ? (
                tBuy('outOfStockShort')
              ) : (
                <span>
                  {tBuy('from')} <Price amount={item.price} currency={currency} className="text-[15px] text-ink" />
                </span>
              )}
              {item.success_share === null ? null : (
                <span>{t('codesOn', { percent: formatPercent(item.success_share, locale) })}</span>
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
