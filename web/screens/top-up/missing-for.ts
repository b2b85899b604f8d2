import { type Api, CallError } from '#contract/calls/calls.ts'
import { CATALOG_VERSION, CLIENT_PAGE_SIZE } from '#contract/constants.ts'
import { type Currency, parseDecimal, toDecimal } from '#contract/money.ts'
import { ANY_OPERATOR, readChoice } from '#web/buying/initial/choice.ts'
import { loadChosen } from '#web/buying/picker/find-chosen.ts'
import { redirectPath } from '#web/navigation/redirect-path.ts'

export type Waiting = {
  service: { id: string; name: string }
  country: { name: string; iso2: string }
  /** The hours of a rental; null for an activation. */
  hours: number | null
  price: Price | null
}
type Price = { price: string; currency: Currency }

const FIRST = { version: CATALOG_VERSION, per_page: CLIENT_PAGE_SIZE }
const WHOLE = { version: CATALOG_VERSION, load: 'all' } as const

type Missing = { kind: 'short'; amount: string | null; waiting: Waiting | null } | { kind: 'enough'; back: string }

/** Returns the amount that the balance lacks, from the URL or for the number chosen on the page `back`. */
export async function missingFor(api: Api, params: URLSearchParams): Promise<Missing> {
  const typed = parseDecimal(params.get('amount') ?? '')
  const back = redirectPath(params.get('back'))
  const chosen = back === null ? null : readPurchase(new URL(back, 'http://this.site'))
  const price = chosen === null ? null : await priceOf(api, chosen)
  const short = async (micros: bigint | null): Promise<Missing> => ({
    kind: 'short',
    amount: micros !== null && micros > 0n ? toDecimal(micros) : null,
    waiting: chosen === null ? null : await waitingOf(api, chosen, price),
  })
  if (typed !== null || back === null || chosen === null) return short(typed)
  // The number is no longer on sale, which its own page shows.
  if (price === null) return { kind: 'enough', back }
  const { balance, debt, currency } = await api('GET /api/user', {})
  if (currency !== price.currency) return short(null)
  // A payment covers the debt first, so the debt is added to the price.
  const needed = (parseDecimal(price.price) ?? 0n) + (parseDecimal(debt) ?? 0n)
  const micros = needed - (parseDecimal(balance) ?? 0n)
  return micros > 0n ? short(micros) : { kind: 'enough', back }
}

type Chosen = { isRent: boolean; service_id: string; country_id: number; operator_id?: string; period: number }

function readPurchase({ pathname, searchParams }: URL): Chosen | null {
  const { serviceId, countryId, operatorId, periodHours: period } = readChoice(searchParams)
  if (serviceId === null || countryId === null) return null
  const operator = operatorId === ANY_OPERATOR ? {} : { operator_id: operatorId }
  return { isRent: pathname === '/rent', service_id: serviceId, country_id: countryId, ...operator, period }
}

async function priceOf(api: Api, { isRent, period, ...wanted }: Chosen): Promise<Price | null> {
  try {
    const asked = isRent ? api('GET /api/rent-price', { ...wanted, period }) : api('GET /api/price', wanted)
    const { price, currency } = (await asked).data
    return price === null ? null : { price, currency }
  } catch (error) {
    if (error instanceof CallError) return null
    throw error
  }
}

/** Returns null if service or country do not exist. */
async function waitingOf(api: Api, chosen: Chosen, price: Price | null): Promise<Waiting | null> {
  const { isRent, service_id: serviceId, country_id: countryId, period } = chosen
  const [services, countries] = isRent
    ? (['GET /api/rent-services', 'GET /api/rent-countries'] as const)
    : (['GET /api/services', 'GET /api/countries'] as const)
  const [firstServices, firstCountries] = await Promise.all([api(services, FIRST), api(countries, FIRST)])
  const [service, country] = await Promise.all([
    loadChosen(serviceId, firstServices.services, async () => (await api(services, WHOLE)).services),
    loadChosen(countryId, firstCountries.countries, async () => (await api(countries, WHOLE)).countries),
  ])
  if (service === null || country === null) return null
  return { service, country, hours: isRent ? period : null, price }
}
