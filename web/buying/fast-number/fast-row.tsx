import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import { FULL_NUMBER } from '#contract/rental.ts'
import { PressNote } from '#web/buying/press/press-note.tsx'
import { useUser } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import { Price, useCurrency } from '#web/ui/initial/price.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'
import { formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { periodParts } from '#web/ui/time/period.ts'
import { type FastOffer, panelPath } from './fast-offers.ts'
import { moveByKeys } from './move-by-keys.ts'
import { barrierOf, type FastPurchase, priceOf } from './use-fast-purchase.ts'

const ROW_LOOK =
  'flex min-h-14 w-full items-center gap-3 rounded px-2 py-1.5 text-left hover:bg-sunken focus-visible:bg-sunken aria-disabled:opacity-55'

type FastRowProps = { offer: FastOffer; purchase: FastPurchase; onDone: () => void }

export function FastRow({ offer, purchase, onDone }: FastRowProps) {
  const t = useTranslations('fastNumber')
  const buy = useTranslations('buy')
  const currency = useCurrency()
  const price = priceOf(offer, purchase.outcomes)
  const outcome = purchase.outcomes[offer.key]
  const busy = purchase.pending === offer.key
  const barrier = barrierOf(offer, purchase.outcomes, useUser())
  const locale = useLocale()
  if (price === null || outcome?.kind === 'no-numbers') return <GoneRow offer={offer} why={t('none')} onDone={onDone} />
  if (barrier?.kind === 'above') {
    const why = t('above', { price: formatMoney(price, currency, locale) })
    return <GoneRow offer={offer} why={why} onDone={onDone} />
  }
  return (
    <li>
      <button
        type="button"
        data-fast-row
        className={ROW_LOOK}
        onKeyDown={moveByKeys}
        aria-busy={busy}
        aria-disabled={purchase.pending !== null}
        onClick={() => purchase.press(offer)}
      >
        <OfferFace offer={offer} />
        <span className="max-w-[45%] shrink-0 text-right leading-tight font-semibold text-signal">
          {busy ? t('buying') : <Price amount={price} currency={currency} />}
          {barrier === null || busy ? null : (
            <span className="tabular block text-[13px] font-normal text-soon">
              {buy('short', { amount: formatMoney(barrier.missing, currency, locale) })}
            </span>
          )}
        </span>
      </button>
      <div aria-live="polite" className="px-2 empty:hidden">
        {outcome === undefined || busy ? null : <PressNote outcome={outcome} />}
      </div>
    </li>
  )
}

function GoneRow({ offer, why, onDone }: Pick<FastRowProps, 'offer' | 'onDone'> & { why: string }) {
  const t = useTranslations('fastNumber')
  return (
    <li>
      <Link to={panelPath(offer)} data-fast-row className={ROW_LOOK} onKeyDown={moveByKeys} onClick={onDone}>
        <OfferFace offer={offer} />
        <span className="max-w-[45%] shrink-0 text-right leading-tight">
          <span className="block text-[13px] text-muted">{why}</span>
          <span className="text-[14px] font-medium underline underline-offset-4">{t('choose')}</span>
        </span>
      </Link>
    </li>
  )
}

function OfferFace({ offer }: { offer: FastOffer }) {
  const t = useTranslations('fastNumber')
  const locale = useLocale()
  const periodWords = (hours: number) => {
    const { unit, count } = periodParts(hours)
    return t(unit, { count })
  }
  const { service, country, operator, period, success_share: share } = offer
  const name = service.id === FULL_NUMBER ? t('fullNumber') : service.name
  const place = operator === null ? country.name : `${country.name} · ${operator}`
  return (
    <>
      <Mark service={service} />
      <span className="min-w-0 flex-1 leading-tight">
        <span className="block truncate font-medium">{period === null ? name : `${name} ${periodWords(period)}`}</span>
        <span className="mt-0.5 flex items-center gap-1.5 text-[13px] text-muted">
          <Flag iso2={country.iso2} size="tiny" />
          <span className="truncate">{place}</span>
          {share === null ? null : (
            <span className="tabular shrink-0" title={t('share', { percent: formatPercent(share, locale) })}>
              · {formatPercent(share, locale)}
            </span>
          )}
        </span>
      </span>
    </>
  )
}
