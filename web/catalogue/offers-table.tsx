import { ChevronRight } from 'lucide-react'
import { useLocale, useTranslations } from 'use-intl'
import type { DirectoryItem } from '#contract/content.ts'
import type { Currency } from '#contract/money.ts'
import { Link } from '#web/navigation/link.tsx'
import { Price } from '#web/ui/initial/price.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'
import { formatCount, formatPercent } from '#web/ui/marks/initial/measured-words.ts'

export type OfferRow = {
  item: DirectoryItem
  path: string
  buyPath: string
  price: string
  count: number
  success_share: number | null
  median_seconds: number | null
  service?: { item: DirectoryItem; path: string }
}

export function OffersTable({
  rows,
  currency,
  caption,
}: {
  rows: readonly OfferRow[]
  currency: Currency
  caption: string
}) {
  const t = useTranslations('directory')
  const withService = rows.some(({ service }) => service !== undefined)
  return (
    // The class `relative` keeps absolutely positioned screen-reader text from widening the page.
    <div className="relative overflow-x-auto rounded border border-hairline bg-surface">
      <table className="w-full text-[15px]">
        <caption className="sr-only">{caption}</caption>
        <thead className="border-b border-hairline text-left text-sm text-muted">
          <tr>
            {withService ? <Head>{t('service')}</Head> : null}
            <Head look={withService ? WIDE_ONLY : ''}>
              {withService || rows[0]?.item.iso2 !== null ? t('country') : t('service')}
            </Head>
            <Head look="text-right">{t('price')}</Head>
            <Head look={`text-right ${WIDE_ONLY}`}>{t('stock')}</Head>
            <Head look={`text-right ${WIDE_ONLY}`}>{t('share')}</Head>
            <Head look={`text-right ${WIDE_ONLY}`}>{t('time')}</Head>
            <th scope="col" className="px-2 py-2">
              <span className="sr-only">{t('choose')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <OfferLine key={`${row.service?.item.id ?? ''} ${row.item.id}`} row={row} currency={currency} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const WIDE_ONLY = 'hidden sm:table-cell'

function Head({ children, look = '' }: { children: string; look?: string }) {
  return (
    <th scope="col" className={`px-3 py-2 font-medium whitespace-nowrap ${look}`}>
      {children}
    </th>
  )
}

function OfferLine({ row, currency }: { row: OfferRow; currency: Currency }) {
  const t = useTranslations('directory')
  const tBuy = useTranslations('buy')
  const locale = useLocale()
  const { item, service, path, buyPath, price, count, success_share: share, median_seconds: median } = row
  const percent = share === null ? null : formatPercent(share, locale)
  const time = median === null ? null : tBuy('medianSeconds', { seconds: Math.max(1, Math.round(median)) })
  const measured = [percent, time].filter((text) => text !== null).join(' · ')
  const name = service === undefined ? item.name : `${service.item.name}, ${item.name}`
  return (
    <tr className="border-b border-hairline last:border-b-0">
      {service === undefined ? (
        <NameCell item={item} path={path} below={measured} />
      ) : (
        <>
          <NameCell item={service.item} path={service.path} below={[item.name, measured].filter(Boolean).join(' · ')} />
          <NameCell item={item} path={path} look={WIDE_ONLY} />
        </>
      )}
      <td className="px-3 text-right">
        <Price amount={price} currency={currency} className="font-semibold" />
      </td>
      <td className={`tabular px-3 text-right text-muted ${WIDE_ONLY}`}>{formatCount(count, locale)}</td>
      <td className={`tabular px-3 text-right ${WIDE_ONLY}`}>{percent ?? '—'}</td>
      <td className={`tabular px-3 text-right whitespace-nowrap ${WIDE_ONLY}`}>{time ?? '—'}</td>
      <td className="px-1 text-right sm:px-2">
        <Link
          to={buyPath}
          className="inline-flex min-h-11 items-center rounded px-2 font-medium text-signal hover:bg-signal-wash sm:px-3"
          aria-label={t('choosePair', { name })}
        >
          <span className="max-[379px]:hidden">{t('choose')}</span>
          {/* On the narrowest screens an icon replaces the link's text, which would hide the column. */}
          <ChevronRight size={20} aria-hidden className="min-[380px]:hidden" />
        </Link>
      </td>
    </tr>
  )
}

type NameCellProps = {
  item: DirectoryItem
  path: string
  below?: string
  look?: string
}

function NameCell({ item, path, below = '', look = '' }: NameCellProps) {
  return (
    <th scope="row" className={`px-3 text-left font-medium ${look}`}>
      <Link to={path} className="inline-flex min-h-11 items-center gap-2.5 py-1.5 underline-offset-4 hover:underline">
        <ItemIcon item={item} />
        <span className="leading-tight">
          {item.name}
          {below === '' ? null : (
            <span className="tabular mt-0.5 block text-[13px] font-normal text-muted sm:hidden">{below}</span>
          )}
        </span>
      </Link>
    </th>
  )
}

export function ItemIcon({ item }: { item: Pick<DirectoryItem, 'id' | 'name' | 'iso2'> }) {
  return item.iso2 === null ? <Mark service={{ id: String(item.id), name: item.name }} /> : <Flag iso2={item.iso2} />
}
