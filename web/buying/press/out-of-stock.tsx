import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { CountryItem, OperatorItem, ServiceItem } from '#contract/catalog.ts'
import { type Currency, parseDecimal } from '#contract/money.ts'
import { ANY_OPERATOR, type Choice } from '#web/buying/initial/choice.ts'
import { usePanelMode } from '#web/buying/panel/panel-mode.ts'
import { countriesInput } from '#web/buying/picker/catalog-inputs.ts'
import { PreorderOffer } from '#web/buying/preorder/preorder-offer.tsx'
import { useApi } from '#web/house/app-context.ts'
import { Price } from '#web/ui/initial/price.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'

const ALTERNATIVES_SHOWN = 3

type OutOfStockProps = {
  choice: Choice
  names: { service: string; country: string }
  operators: readonly OperatorItem[]
  currency: Currency
  onChoose: (choice: Choice) => void
  services: readonly ServiceItem[]
  /** The last price at which the choice was in stock, as far as this page knows it. */
  lastPrice: string | null
}

export function OutOfStock(props: OutOfStockProps) {
  const { choice, names, operators, services, currency, onChoose, lastPrice } = props
  const t = useTranslations('buy')
  const mode = usePanelMode()
  const countries = useCheapestCountries(choice)
  const nearest = nearestAlternatives(choice, { operators, countries: countries ?? [] })
  const empty = countries !== null && nearest.operators.length + nearest.countries.length === 0
  return (
    <div className="flex flex-col gap-2 border-t border-hairline bg-sunken px-4 py-3">
      <div role="status">
        <p className="font-semibold">{t('outOfStock')}</p>
        <p className="text-[14px] text-muted">{empty ? t('noAlternatives') : t('alternatives')}</p>
      </div>
      {empty || countries === null ? null : (
        <ul className="flex flex-wrap gap-2">
          {nearest.operators.map(({ id, name, price }) => (
            <Alternative
              key={`operator-${id}`}
              price={price}
              currency={currency}
              onPress={() => onChoose({ ...choice, operatorId: id })}
            >
              {name}
            </Alternative>
          ))}
          {nearest.countries.map(({ id, name, iso2, price }) => (
            <Alternative
              key={`country-${id}`}
              price={price}
              currency={currency}
              onPress={() => onChoose({ ...choice, countryId: id, operatorId: ANY_OPERATOR })}
            >
              <Flag iso2={iso2} size="tiny" />
              {name}
            </Alternative>
          ))}
        </ul>
      )}
      {mode.name === 'activation' && choice.serviceId !== null && choice.countryId !== null ? (
        <PreorderOffer
          serviceId={choice.serviceId}
          countryId={choice.countryId}
          operatorId={choice.operatorId}
          names={names}
          currency={currency}
          lastPrice={lastPrice}
          similar={services.filter(({ id }) => id !== choice.serviceId)}
          alternatives={[...nearest.operators, ...nearest.countries]}
        />
      ) : null}
    </div>
  )
}

/** Returns the cheapest countries for the chosen service; null while they load. */
function useCheapestCountries(choice: Choice): readonly CountryItem[] | null {
  const api = useApi()
  const mode = usePanelMode()
  const input = countriesInput(mode, choice, { part: 'first', sort: 'price' })
  const { data } = useQuery({
    queryKey: [mode.calls.countries, input],
    queryFn: ({ signal }) => api(mode.calls.countries, input, { signal }),
  })
  return data?.countries ?? null
}

type AlternativeProps = { price: string | null; currency: Currency; onPress: () => void; children: ReactNode }

function Alternative({ price, currency, onPress, children }: AlternativeProps) {
  return (
    <li>
      <button
        type="button"
        onClick={onPress}
        className="inline-flex min-h-10 items-center gap-2 rounded border border-edge bg-surface px-3 text-[14px] font-medium hover:border-ink"
      >
        {children}
        {price === null ? null : <Price amount={price} currency={currency} className="text-muted" />}
      </button>
    </li>
  )
}

type Alternatives = { operators: OperatorItem[]; countries: CountryItem[] }

/**
 * Returns offers in stock that replace the choice, cheapest first: of other operators in its country, and of other
 * countries.
 */
export function nearestAlternatives(
  choice: Pick<Choice, 'countryId' | 'operatorId'>,
  offers: { operators: readonly OperatorItem[]; countries: readonly CountryItem[] },
): Alternatives {
  const operators = offers.operators.filter(({ id }) => id !== choice.operatorId && id !== ANY_OPERATOR)
  const countries = offers.countries.filter(({ id }) => id !== choice.countryId)
  return { operators: cheapestInStock(operators), countries: cheapestInStock(countries) }
}

function cheapestInStock<Item extends { price: string | null; count: number }>(items: readonly Item[]): Item[] {
  return items
    .flatMap((item) => {
      const micros = item.price === null ? null : parseDecimal(item.price)
      return item.count > 0 && micros !== null ? [{ item, micros }] : []
    })
    .sort((left, right) => (left.micros < right.micros ? -1 : left.micros > right.micros ? 1 : 0))
    .slice(0, ALTERNATIVES_SHOWN)
    .map(({ item }) => item)
}
