import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import { type Currency, formatMoney, parseDecimal } from '#contract/money.ts'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { ANY_OPERATOR } from '#web/buying/initial/choice.ts'
import { useApi, useSession } from '#web/house/app-context.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { lowestPrice } from './preorder-terms.ts'

export type HintedOffer = {
  serviceId: string
  countryId: number
  operatorId: string
  currency: Currency
  /** The last known price of the pair while it was in stock; null if unknown. */
  lastPrice: string | null
  alternatives: readonly { price: string | null }[]
  similar: readonly { price: string | null }[]
}

type PriceHintsProps = HintedOffer & {
  ceiling: string | null
  /** The price in the field; the hint of the same price is marked. */
  price: string | null
  onPick: (price: string) => void
}

/** Shows where a price could come from. Nothing is filled in before a press, except the buyer's own limit. */
export function PriceHints({ ceiling, price, onPick, ...wanted }: PriceHintsProps) {
  const t = useTranslations('preorder.hint')
  const locale = useLocale()
  const sale = useLastSale(wanted)
  const ago = useAgo(sale?.at ?? null)
  const near = lowestPrice(wanted.alternatives)
  const similar = lowestPrice(wanted.similar)
  const hints = [
    ...(sale === null ? [] : [{ price: sale.price, text: t('sold', { ago }) }]),
    ...(wanted.lastPrice === null ? [] : [{ price: wanted.lastPrice, text: t('known') }]),
    ...(near === null ? [] : [{ price: near, text: t('near') }]),
    ...(similar === null ? [] : [{ price: similar, text: t('similar') }]),
    ...(ceiling === null ? [] : [{ price: ceiling, text: t('ceiling') }]),
  ]
  if (hints.length === 0) return null
  return (
    <fieldset className="grid gap-1.5">
      <legend className="sr-only">{t('title')}</legend>
      {hints.map((hint) => (
        <button
          key={hint.text}
          type="button"
          aria-pressed={isSamePrice(hint.price, price)}
          className="flex min-h-10 items-center gap-3 rounded border border-hairline bg-surface px-3 py-1 text-left text-[14px] leading-tight hover:border-ink aria-pressed:border-signal-bright"
          onClick={() => onPick(hint.price)}
        >
          <span className="tabular shrink-0 font-semibold">{formatMoney(hint.price, wanted.currency, locale)}</span>
          <span className="text-muted">{hint.text}</span>
        </button>
      ))}
    </fieldset>
  )
}

function isSamePrice(one: string, other: string | null): boolean {
  return other !== null && parseDecimal(one) === parseDecimal(other)
}

function useLastSale({
  serviceId,
  countryId,
  operatorId,
}: Pick<PriceHintsProps, 'serviceId' | 'countryId' | 'operatorId'>) {
  const api = useApi()
  const { signedIn } = useSession()
  const input = {
    service_id: serviceId,
    country_id: countryId,
    ...(operatorId === ANY_OPERATOR ? {} : { operator_id: operatorId }),
  }
  const { data } = useQuery({
    queryKey: ['last-sale', input],
    queryFn: ({ signal }) => api('GET /api/v1/preorders/last-sale', input, { signal }),
    enabled: signedIn,
  })
  return data?.data ?? null
}

const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const

/** Formats the age of a moment, such as "2 hours ago", in its largest unit. */
function useAgo(at: string | null): string {
  const locale = useLocale()
  return useAtNow((nowMs) => {
    if (at === null) return ''
    const age = Math.max(0, nowMs - Date.parse(at))
    const [unit, length] = UNITS.find(([, ms]) => age >= ms) ?? ['minute', MINUTE]
    return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-Math.floor(age / length), unit)
  })
}
