import type { CountriesFilter, RentCountriesFilter, RentServicesFilter } from '#contract/catalog.ts'
import { CATALOG_VERSION, CLIENT_PAGE_SIZE } from '#contract/constants.ts'
import type { RentPriceFilter } from '#contract/rental.ts'
import { ANY_OPERATOR, type Choice } from '#web/buying/initial/choice.ts'
import type { PanelMode } from '#web/buying/panel/panel-mode.ts'

/** `first` is the part of the list that every visit loads. `all` is the whole list, loaded for a search or a scroll. */
export type ListPart = 'first' | 'all'
export type CountrySort = NonNullable<CountriesFilter['sort']>

type Terms = Pick<PanelMode, 'terms'>

/** Returns the input of the services call, which is also the query key. Prices depend on the chosen country. */
export function servicesInput({ terms }: Terms, choice: Choice, part: ListPart): RentServicesFilter {
  const country = choice.countryId === null ? {} : { country_id: choice.countryId }
  return { ...sizeOf(part), ...terms(choice), ...country }
}

export function countriesInput(
  { terms }: Terms,
  choice: Choice,
  wanted: { part: ListPart; sort: CountrySort },
): RentCountriesFilter {
  const service = choice.serviceId === null ? {} : { service_id: choice.serviceId }
  return { ...sizeOf(wanted.part), ...terms(choice), sort: wanted.sort, ...service }
}

export function priceInput({ terms }: Terms, choice: Choice): RentPriceFilter | null {
  const { serviceId, countryId, operatorId } = choice
  if (serviceId === null || countryId === null) return null
  const operator = operatorId === ANY_OPERATOR ? {} : { operator_id: operatorId }
  return { service_id: serviceId, country_id: countryId, ...terms(choice), ...operator }
}

function sizeOf(part: ListPart) {
  const version = CATALOG_VERSION
  return part === 'all' ? ({ version, load: 'all' } as const) : { version, per_page: CLIENT_PAGE_SIZE }
}
