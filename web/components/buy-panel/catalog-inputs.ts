import type { CountriesFilter, PriceFilter, ServicesFilter } from '#contract/catalog.ts'
import { CLIENT_PAGE_SIZE } from '#contract/constants.ts'
import { ANY_OPERATOR, type Choice } from './choice.ts'

/** `first`: the page every visit begins with. `all`: the whole list, once somebody searches or scrolls. */
export type ListPart = 'first' | 'all'
export type CountrySort = NonNullable<CountriesFilter['sort']>

/** The call for the services of the panel, priced for the chosen country. Also the key it is remembered by. */
export function servicesInput(choice: Choice, part: ListPart): ServicesFilter {
  return { ...sizeOf(part), ...(choice.countryId === null ? {} : { country_id: choice.countryId }) }
}

/** The call for the countries of the panel, priced for the chosen service. */
export function countriesInput(choice: Choice, part: ListPart, sort: CountrySort): CountriesFilter {
  return { ...sizeOf(part), sort, ...(choice.serviceId === null ? {} : { service_id: choice.serviceId }) }
}

/** The call for the price of a complete choice; null while something is missing. */
export function priceInput({ serviceId, countryId, operatorId }: Choice): PriceFilter | null {
  if (serviceId === null || countryId === null) return null
  const operator = operatorId === ANY_OPERATOR ? {} : { operator_id: operatorId }
  return { service_id: serviceId, country_id: countryId, ...operator }
}

function sizeOf(part: ListPart): { load: 'all' } | { per_page: number } {
  return part === 'all' ? { load: 'all' } : { per_page: CLIENT_PAGE_SIZE }
}
