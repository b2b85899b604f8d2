import { useLocale, useTranslations } from 'use-intl'
import type { CountryItem } from '#contract/catalog.ts'
import { formatMoney } from '#contract/money.ts'
import { useChoice } from '#web/buying/picker/use-choice.ts'
import { Price, useCurrency } from '#web/ui/initial/price.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import type { ShownPair } from './use-shown-pair.ts'

const SHOWN = 7

/** Compares the popular countries of a service, the cheapest first. A press chooses the country in the panel. */
export function CountryBars({ pair: { service, countries, choose } }: { pair: ShownPair }) {
  const t = useTranslations('home.bars')
  const [{ countryId }] = useChoice()
  if (countries?.length === 0) return null
  const shown = (countries ?? []).slice(0, SHOWN).toSorted((a, b) => Number(a.price) - Number(b.price))
  return (
    <section className="min-h-98">
      <h2 className="text-lg font-semibold tracking-tight">{t('title', { service: service.name })}</h2>
      <p className="text-muted">{t('text')}</p>
      <ul className="mt-3">
        {shown.map((item) => (
          <li key={item.id} className="border-t border-hairline last:border-b">
            <BarRow item={item} isChosen={item.id === countryId} onChoose={() => choose(item.id)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

type BarRowProps = { item: CountryItem; isChosen: boolean; onChoose: () => void }

function BarRow({ item, isChosen, onChoose }: BarRowProps) {
  const t = useTranslations('home.bars')
  const locale = useLocale()
  const currency = useCurrency()
  const { name, iso2, price, success_share: share } = item
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      title={t('choose', { country: name, price: formatMoney(price ?? '0', currency, locale) })}
      onClick={onChoose}
      className="grid min-h-11 w-full grid-cols-[auto_minmax(0,1fr)_auto_minmax(4.25rem,auto)] items-center gap-x-3 px-2 text-left hover:bg-sunken aria-pressed:bg-sunken sm:grid-cols-[auto_10.5rem_minmax(0,1fr)_3.5rem_5.5rem]"
    >
      <Flag iso2={iso2} />
      <span className="truncate font-medium">{name}</span>
      <span aria-hidden className="hidden h-2 rounded-sm bg-sunken sm:block">
        <span
          className={`block h-full rounded-sm ${isChosen ? 'bg-signal-bright' : 'bg-edge'}`}
          style={{ width: `${(share ?? 0) * 100}%` }}
        />
      </span>
      <span className="tabular text-right text-muted">{share === null ? null : formatPercent(share, locale)}</span>
      <Price amount={price ?? '0'} currency={currency} className="text-right font-semibold" />
    </button>
  )
}
